// TypeScript of which no line stays in place: an enum, a namespace, overloads, private and static fields, generics. It writes
// down its stack, whose places are those of this file, and ends. Code that says that it was made from TSX, and has no map, is
// in the stack.
import * as fs from "node:fs";
import process from "node:process";
enum Level { Low = 1, Mid, High = 1 << 4 }
namespace Geo {
  export interface Point { x: number; y: number }
  export const origin: Point = { x: 0, y: 0 };
  export function far(p: Point, then: (d: number) => never): never { return then(Math.hypot(p.x, p.y)); }
}
type Fn<T> = (x: T) => T;
class Box<T extends { v: number }> {
  #inner: T;
  static made: number = 0;
  constructor(private readonly tag: string, inner: T) { this.#inner = inner; Box.made++; }
  get v(): number { return this.#inner.v + fin(this.tag); }
  map<U extends { v: number }>(f: (t: T) => U): Box<U> { return new Box<U>(this.tag, f(this.#inner)); }
}
function over(a: string): number;
function over(a: number): number;
function over(a: any): number {
  const b = new Box<{ v: number }>("t", { v: Level.High });
  return [1, 2].map((n: number): number => b.map((t) => ({ v: t.v + n + a })).v)[0]!;
}
const made: (f: () => never) => never = (0, eval)("(f) =>   f()\n//# sourceURL=/made/view.tsx");
function fin(tag: string): never {
  return made((): never => Geo.far({ x: 3, y: 4 } as Geo.Point, (d: number): never => {
    Error.stackTraceLimit = 50;
    fs.writeFileSync("said.json", JSON.stringify({ trace: new Error(tag).stack!.split("\n").slice(1) }) + "\n");
    if ("Deno" in globalThis) for (;;) d++;
    process.abort();
  }));
}
async function top<T>(x: T): Promise<T> {
  interface Gone { a: 1 }
  await null;
  over(1);
  return x;
}
async function outer(): Promise<void> {
  const r = await top<number>(7);
  console.log(r);
}
void outer();
