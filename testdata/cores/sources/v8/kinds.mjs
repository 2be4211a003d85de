// A module with exports of every kind, for kinds.js.
export let counter = 7;
export const name = 'esm';
export default function dflt() {}
export { counter as alias };
