// TypeScript of which nothing but types has to go, so that each place stays.
import { writeFileSync } from "node:fs";
type Shape = { kind: "a"; n: number } | { kind: "b" };
interface Visitor<R> { a(n: number): R; b(): R }
const visit = <R>(s: Shape, v: Visitor<R>): R => s.kind === "a" ? v.a(s.n) : v.b();
class Depth implements Visitor<number> {
  readonly limit: number;
  constructor(limit: number) { this.limit = limit; }
  a(n: number): number { return n >= this.limit ? this.b() : visit<number>({ kind: "a", n: n + 1 } as const, this); }
  b(): number {
    Error.stackTraceLimit = 50;
    writeFileSync("said.json", JSON.stringify({ trace: (new Error("here") as Error).stack!.split("\n").slice(1) }) + "\n");
    process.abort();
  }
}
async function wait(): Promise<void> { await new Promise<void>((r: () => void) => setTimeout(r, 5)); }
async function run(): Promise<number> {
  await wait();
  return visit(({ kind: "a", n: 0 }) as Shape, new Depth(3) as Visitor<number>);
}
run();
