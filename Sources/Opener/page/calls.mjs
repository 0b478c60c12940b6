// Calls between the page and its workers, both ways, over one port.

/**
 * Answers calls that arrive at a port with `handlers`, and returns a function that calls the other side's:
 * `call(name, argument, transfer)`, a promise of the result.
 *
 * A handler may return `moved(value, buffers)` to hand over buffers instead of copying them.
 */
export function connect(port, handlers) {
  const waiting = new Map();
  let last = 0;
  port.onmessage = async ({ data }) => {
    if (data.answer !== undefined) {
      const { resolve, reject } = waiting.get(data.answer);
      waiting.delete(data.answer);
      if (data.failure === undefined) resolve(data.value);
      else reject(Object.assign(new Error(data.failure.message), data.failure));
      return;
    }
    try {
      const result = await handlers[data.name](data.argument);
      if (result instanceof Moved) port.postMessage({ answer: data.call, value: result.value }, result.buffers);
      else port.postMessage({ answer: data.call, value: result });
    } catch (error) {
      port.postMessage({ answer: data.call, failure: describe(error) });
    }
  };
  return (name, argument, transfer = []) =>
    new Promise((resolve, reject) => {
      last += 1;
      waiting.set(last, { resolve, reject });
      port.postMessage({ call: last, name, argument }, transfer);
    });
}

class Moved {
  constructor(value, buffers) {
    this.value = value;
    this.buffers = buffers;
  }
}

export function moved(value, buffers) {
  return new Moved(value, buffers);
}

/** The parts of an error that the other side shows. */
function describe(error) {
  const { verdict, why, shares, reason } = error;
  return { message: String(error.message ?? error), verdict, why, shares, reason };
}
