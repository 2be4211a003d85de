// A module with a live binding, and an async static method that is awaited by main.
export let liveBinding = 41;

export function esmFunc(next) {
  liveBinding++;
  return next(liveBinding);
}

export default class EsmClass {
  static async esmStatic(next) {
    await null;
    return esmFunc(next);
  }
}
