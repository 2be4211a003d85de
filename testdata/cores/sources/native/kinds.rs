// Values of enums, pointers and containers of Rust. kinds-rs.values says what each holds. It aborts.
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::*;
use std::num::NonZeroU32;
use std::rc::{Rc, Weak};
use std::sync::{atomic::*, Arc, Mutex, RwLock};
use std::time::Duration;
#[derive(Debug, Clone)] enum Shape { Dot, Circle(f64), Rect { w: u32, h: u32 }, Named(String, Box<Shape>) }
#[derive(Debug, Clone, Copy)] #[repr(u8)] enum Plain { A = 1, B = 200 }
#[derive(Debug)] struct Unit; #[derive(Debug)] struct Tup(i32, &'static str); #[derive(Debug)] struct P { x: i32, name: String }
#[derive(Debug)] enum Never {} #[derive(Debug)] enum One { Only(u8) }
trait Area { fn area(&self) -> f64; } impl Area for Tup { fn area(&self) -> f64 { self.0 as f64 } }
union U { i: u32, f: f32 }
struct Gen<T, const N: usize> { a: [T; N] }
#[inline(never)] fn run(sref: &str, slice: &[i32], n: i32, dynr: &dyn Area, m: &mut Vec<i32>) -> i32 {
  let i8v = -8i8; let u8v = 250u8; let i128v = i128::MIN; let u128v = u128::MAX; let us = 7usize; let f = 0.25f32; let d = -1.5f64; let c = 'é'; let b = true; let unit = ();
  let st = String::from("heap"); let empty = String::new(); let v = vec![1, 2, 3]; let ve: Vec<i32> = vec![]; let vs = vec!["a".to_string(), "b".to_string()];
  let arr = [1, 2, 3]; let arr2 = [[1u8, 2], [3, 4]]; let tup = (1, "two", 3.5); let t1 = (9,);
  let bx = Box::new(5); let bs: Box<str> = "boxed".into(); let bsl: Box<[i32]> = vec![4, 5].into(); let bd: Box<dyn Area> = Box::new(Tup(1, "d"));
  let rc = Rc::new(6); let weak: Weak<i32> = Rc::downgrade(&rc); let arc = Arc::new(String::from("arc")); let rcs: Rc<str> = "rcstr".into(); let cell = Cell::new(3); let rcell = RefCell::new(vec![1]);
  let some = Some(4); let none: Option<i32> = None; let sb: Option<Box<i32>> = Some(Box::new(8)); let nb: Option<Box<i32>> = None; let sref2: Option<&str> = Some("ref"); let nz = NonZeroU32::new(5); let nzn = NonZeroU32::new(0); let oc: Option<char> = None; let ob = Some(true); let oo: Option<Option<bool>> = Some(None); let os: Option<String> = None;
  let ok: Result<i32, String> = Ok(3); let er: Result<i32, String> = Err("bad".into());
  let s1 = Shape::Dot; let s2 = Shape::Circle(2.5); let s3 = Shape::Rect { w: 1, h: 2 }; let s4 = Shape::Named("n".into(), Box::new(Shape::Dot)); let pl = Plain::B; let one = One::Only(3); let un = Unit; let tp = Tup(1, "t"); let p = P { x: 1, name: "p".into() };
  let hm: HashMap<String, i32> = [("k".to_string(), 1)].into(); let hs: HashSet<i32> = [5].into(); let bm: BTreeMap<i32, &str> = (0..20).map(|i| (i, "v")).collect(); let bset: BTreeSet<i32> = [2, 1].into(); let vd: VecDeque<i32> = { let mut q: VecDeque<i32> = (0..6).collect(); q.pop_front(); q.push_back(9); q }; let ll: LinkedList<i32> = [1, 2].into(); let bh: BinaryHeap<i32> = [3].into();
  let mu = Mutex::new(4); let rw = RwLock::new(5); let at = AtomicI32::new(6); let ab = AtomicBool::new(true); let du = Duration::from_millis(1500); let cow: Cow<str> = Cow::Borrowed("cow"); let cow2: Cow<str> = Cow::Owned("owned".into());
  let u = U { i: 0x3f800000 }; let g = Gen::<u16, 2> { a: [1, 2] }; let fp: fn(i32) -> i32 = inc; let cl = move |x: i32| x + n; let rp = &arr[1] as *const i32; let range = 1..5; let ri = 1..=3; let ord = std::cmp::Ordering::Less; let path = std::path::PathBuf::from("/tmp"); let osx = std::ffi::OsString::from("os"); let by: &[u8] = b"by\xff"; let fa: &[f64; 2] = &[0.5, 1.5]; let sl2 = &v[1..]; let wrap = std::num::Wrapping(3); let ph = std::marker::PhantomData::<i32>; let cs = std::ffi::CString::new("cs").unwrap(); let ip = std::net::Ipv4Addr::new(1, 2, 3, 4); let mr = m;
  if n > 0 { std::process::abort(); }
  println!("{:?}", (i8v, u8v, i128v, u128v, us, f, d, c, b, unit, &st, &empty)); println!("{:?}", (&v, &ve, &vs, arr, arr2, tup, t1, &bx, &bs, &bsl, bd.area()));
  println!("{:?}", (&rc, &weak, &arc, &rcs, &cell, &rcell, some, none, &sb, &nb, sref2)); println!("{:?}", (nz, nzn, oc, ob, oo, &os, &ok, &er, &s1, &s2, &s3)); println!("{:?}", (&s4, pl, &one, &un, &tp, &p, &hm, &hs, &bm, &bset, &vd)); println!("{:?}", (&ll, &bh, &mu, &rw, &at, &ab, du, &cow, &cow2, unsafe { u.i }, g.a));
  println!("{:?}", (fp(1), cl(2), rp, &range, &ri, ord, &path, &osx, by, fa, sl2)); println!("{:?}", (wrap, ph, &cs, ip, mr, sref, slice, dynr.area())); 0
}
fn inc(x: i32) -> i32 { x + 1 }
fn main() { let mut m = vec![7]; run("sref", &[1, 2], 3, &Tup(2, "dyn"), &mut m); let _: Option<Never> = None; let _ = One::Only(1); }
