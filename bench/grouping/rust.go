package main

// rustKinds are bugs of Rust, each in a module with the bug's name.
var rustKinds = []kind{
	{"unwrap", `#[inline(never)] pub fn @(n: i64) -> i64 { let x: Option<i64> = if crate::zero() == 0 { None } else { Some(#) }; x.unwrap() + n }`},
	{"expect", `#[inline(never)] pub fn @(n: i64) -> i64 { let x: Result<i64, String> = if crate::zero() == 0 { Err("no ^".into()) } else { Ok(#) }; x.expect("@") + n }`},
	{"index", `#[inline(never)] pub fn @(n: i64) -> i64 { let v = vec![1i64; #]; v[(n + 1000) as usize + crate::zero() as usize] }`},
	{"slice", `#[inline(never)] pub fn @(n: i64) -> i64 { let v = vec![1i64; #]; v[(n + 1000) as usize..].len() as i64 }`},
	{"divide", `#[inline(never)] pub fn @(n: i64) -> i64 { (n + #) / crate::zero() }`},
	{"borrow", `use std::cell::RefCell; #[inline(never)] pub fn @(n: i64) -> i64 { let c = RefCell::new(n); let a = c.borrow_mut(); let b = c.borrow(); *a + *b + # }`},
	{"pointer", `#[inline(never)] pub fn @(n: i64) -> i64 { let p = (crate::zero() as usize + 8 * #) as *const i64; unsafe { p.read_volatile() + n } }`},
	{"panic", `#[inline(never)] pub fn @(n: i64) -> i64 { if crate::zero() == 0 { panic!("cannot @ {n}") } # }`},
	{"assert", `#[inline(never)] pub fn @(n: i64) -> i64 { assert!(n + crate::zero() < -#, "@"); n }`},
	{"assert-eq", `#[inline(never)] pub fn @(n: i64) -> i64 { assert_eq!(n + crate::zero(), -#); n }`},
	{"recursion", `#[inline(never)] pub fn @(n: i64) -> i64 { let a = std::hint::black_box([n; # + 60]); @(n + 1) + std::hint::black_box(a[3]) }`},
	{"iterator", `#[inline(never)] pub fn @(n: i64) -> i64 { let v: Vec<Option<i64>> = vec![None; #]; v.iter().map(|x| x.unwrap() + n).sum::<i64>() }`},
	{"sort", `#[inline(never)] pub fn @(n: i64) -> i64 { let mut v: Vec<f64> = vec![f64::NAN; # + 30]; v.sort_by(|a, b| a.partial_cmp(b).unwrap()); v.len() as i64 + n }`},
	{"map", `use std::collections::HashMap; #[inline(never)] pub fn @(n: i64) -> i64 { let mut m = HashMap::new(); m.insert(#i64, 1i64); m[&(n - 1000)] }`},
	{"text", `#[inline(never)] pub fn @(n: i64) -> i64 { let s = "ä".repeat(#); s[..(1 + crate::zero() as usize)].len() as i64 + n }`},
	{"abort", `#[inline(never)] pub fn @(n: i64) -> i64 { if crate::zero() == 0 { std::process::abort() } n + # }`},
	{"trait", `pub trait ^ { fn @(&self, n: i64) -> i64; } struct Leaf; impl ^ for Leaf { #[inline(never)] fn @(&self, n: i64) -> i64 { let x: Option<i64> = if crate::zero() == 0 { None } else { Some(#) }; x.unwrap() + n } } #[inline(never)] pub fn call(n: i64) -> i64 { let b: Box<dyn ^> = Box::new(Leaf); std::hint::black_box(b).@(n) }`},
	{"generic", `#[inline(never)] fn @<T: Into<i64> + Copy>(v: &[T], n: i64) -> i64 { v[n as usize + 1000].into() } #[inline(never)] pub fn call(n: i64) -> i64 { @(&[1i32; #], n) }`},
	{"unreachable", `#[inline(never)] pub fn @(n: i64) -> i64 { match crate::zero() { 0 => unreachable!("@"), x => x + n + # } }`},
	{"parse", `#[inline(never)] pub fn @(n: i64) -> i64 { "no number #".parse::<i64>().unwrap() + n }`},
}

const rustHead = `#![allow(dead_code, unconditional_recursion, unused_imports, non_snake_case, non_camel_case_types)]
use std::sync::atomic::{AtomicI64, Ordering};
static ZERO: AtomicI64 = AtomicI64::new(0);
#[inline(never)] pub fn zero() -> i64 { ZERO.load(Ordering::Relaxed) }
#[inline(never)] fn descend(f: fn(i64) -> i64, n: i64) -> i64 { let r = if n > 0 { descend(f, n - 1) } else { f(n) }; std::hint::black_box(r) + 1 }
#[inline(never)] fn from_timer(f: fn(i64) -> i64, n: i64) -> i64 { std::hint::black_box(descend(f, n)) + 1 }
#[inline(never)] fn from_queue(f: &dyn Fn(i64) -> i64, n: i64) -> i64 { std::hint::black_box(f(n)) + 1 }
`

const rustTail = `
fn main() {
	let a: Vec<String> = std::env::args().collect();
	let (depth, threads, way) = (a[2].parse::<i64>().unwrap(), a[3].parse::<i64>().unwrap(), a[4].parse::<i64>().unwrap());
	for _ in 0..threads { std::thread::spawn(|| loop { std::thread::park() }); }
	let bugs: &[(&str, fn(i64) -> i64)] = &[
%s	];
	let f = bugs.iter().find(|b| b.0 == a[1]).unwrap().1;
	let r = match way {
		0 => from_timer(f, depth),
		1 => from_queue(&|n| descend(f, n), depth),
		2 => std::thread::spawn(move || descend(f, depth)).join().unwrap(),
		_ => f(depth),
	};
	println!("{r}");
}
`
