#pragma once
extern int errno;
#define EINVAL 22
#define ENOMEM 12
#define EFBIG 27
#define ENOSYS 38
#define ERANGE 34
