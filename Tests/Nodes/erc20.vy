# pragma version ^0.4.0
# A token by the book (ERC-20), for tests against a real chain. erc20.hex is what `vyper -f bytecode` makes of it.

event Transfer:
    sender: indexed(address)
    receiver: indexed(address)
    value: uint256

event Approval:
    owner: indexed(address)
    spender: indexed(address)
    value: uint256

name: public(String[32])
symbol: public(String[8])
decimals: public(uint8)
totalSupply: public(uint256)
balanceOf: public(HashMap[address, uint256])
allowance: public(HashMap[address, HashMap[address, uint256]])


@deploy
def __init__():
    self.name = "Fueki Test Token"
    self.symbol = "FTT"
    self.decimals = 6
    self.totalSupply = 10 ** 18
    self.balanceOf[msg.sender] = self.totalSupply
    log Transfer(sender=empty(address), receiver=msg.sender, value=self.totalSupply)


@internal
def move(sender: address, receiver: address, amount: uint256):
    self.balanceOf[sender] -= amount
    self.balanceOf[receiver] += amount
    log Transfer(sender=sender, receiver=receiver, value=amount)


@external
def transfer(receiver: address, amount: uint256) -> bool:
    self.move(msg.sender, receiver, amount)
    return True


@external
def approve(spender: address, amount: uint256) -> bool:
    self.allowance[msg.sender][spender] = amount
    log Approval(owner=msg.sender, spender=spender, value=amount)
    return True


@external
def transferFrom(sender: address, receiver: address, amount: uint256) -> bool:
    self.allowance[sender][msg.sender] -= amount
    self.move(sender, receiver, amount)
    return True
