// values: a chain of functions with variables of Rust's kinds, each of which writes down what its
// variables hold, as JSON, before it calls the next; the last one aborts.
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

macro_rules! say { ($f:expr, $v:expr, $($x:tt)*) => { println!("{}\t{}\t{}", $f, $v, format!($($x)*)) } }

// black_box keeps a value from being known to the compiler; that of std::hint is younger than
// the Rust that this is compiled with.
#[inline(never)]
fn black_box<T>(x: T) -> T {
    unsafe {
        let y = std::ptr::read_volatile(&x);
        std::mem::forget(x);
        y
    }
}

enum Shape { Unit, Circle(f64), Rect { w: u32, h: u32 }, Named(String) }
#[derive(Clone, Copy)]
enum Level { Low = 3, High = 9 }
struct Point { x: i32, y: i32 }
struct Wrapper<T> { inner: T, count: usize }

static GREETING: &str = "a static text";
static NUMBERS: [u16; 3] = [1, 2, 60000];

#[inline(never)]
fn last(why: &str, code: Option<i32>) {
    say!("last", "why", "\"{}\"", why);
    say!("last", "code", "{{\"Some\":{}}}", code.unwrap());
    black_box((&why, &code));
    std::process::abort();
}

trait Area { fn area(&self) -> f64; }
impl Area for Point { fn area(&self) -> f64 { f64::from(self.x * self.y) } }
impl Area for Level { fn area(&self) -> f64 { f64::from(*self as i32) } }

#[inline(never)]
fn traits(borrowed: &dyn Area) {
    let boxed: Box<dyn Area> = Box::new(Point { x: 3, y: 4 });
    let many: Vec<Box<dyn Area>> = vec![Box::new(Level::High), Box::new(Point { x: 5, y: 6 })];
    let counted: Rc<dyn Area> = Rc::new(Point { x: 7, y: 8 });
    let shared: Arc<dyn Area> = Arc::new(Level::Low);
    let by = 11;
    let called: Box<dyn Fn(i32) -> i32> = Box::new(move |x| x + by);
    let path = std::path::PathBuf::from("/a/path");
    let atomic = std::sync::atomic::AtomicUsize::new(12);
    let wide: Rc<dyn Fn(i32) -> i128> = { let big = 1i128 << 65; Rc::new(move |x| big + i128::from(x)) };
    black_box((&boxed, &many, &counted, &shared, &called, &path, &atomic, &wide));
    say!("traits", "borrowed", "{{\"x\":1,\"y\":-1}}");
    say!("traits", "boxed", "{{\"x\":3,\"y\":4}}");
    say!("traits", "many", "[\"High\",{{\"x\":5,\"y\":6}}]");
    say!("traits", "counted", "{{\"x\":7,\"y\":8}}");
    say!("traits", "shared", "\"Low\"");
    say!("traits", "called", "{{\"by\":{}}}", called(0));
    say!("traits", "path", "\"{}\"", path.display());
    say!("traits", "atomic", "{}", atomic.load(std::sync::atomic::Ordering::SeqCst));
    say!("traits", "wide", "{{\"big\":\"{}\"}}", wide(0));
    last("no reason", Some(-4));
    black_box((boxed.area(), many.len(), counted.area(), shared.area(), called, path, atomic, wide, borrowed.area()));
}

#[inline(never)]
fn owners() {
    let boxed = Box::new(5i64);
    let point = Box::new(Point { x: 1, y: -1 });
    let counted = Rc::new(String::from("counted"));
    let atomic = Arc::new(vec![1u8, 2]);
    let cell = Cell::new(7u32);
    let shared = RefCell::new(Point { x: 8, y: 9 });
    let wrapper = Wrapper { inner: "inner", count: 2 };
    black_box((&boxed, &point, &counted, &atomic, &cell, &shared, &wrapper));
    say!("owners", "boxed", "{}", boxed);
    say!("owners", "point", "{{\"x\":{},\"y\":{}}}", point.x, point.y);
    say!("owners", "counted", "\"{}\"", counted);
    say!("owners", "atomic", "[1,2]");
    say!("owners", "cell", "{}", cell.get());
    say!("owners", "shared", "{{\"x\":8,\"y\":9}}");
    say!("owners", "wrapper", "{{\"inner\":\"{}\",\"count\":{}}}", wrapper.inner, wrapper.count);
    traits(&*point);
    black_box((boxed, point, counted, atomic, cell, shared, wrapper));
}

#[inline(never)]
fn collections() {
    let mut map = HashMap::new();
    map.insert(String::from("key"), -7i32);
    let mut numbers = HashMap::new();
    numbers.insert(9u64, (3u8, 0.5f64));
    let set: HashSet<u8> = [7u8].iter().cloned().collect();
    let tree: BTreeMap<i32, String> = (0..30).map(|i| (i, format!("v{}", i))).collect();
    let letters: BTreeSet<char> = "cab".chars().collect();
    let mut queue: VecDeque<i32> = VecDeque::with_capacity(4);
    for i in 0..6 { queue.push_back(i); if i < 3 { queue.pop_front(); } }
    black_box((&map, &numbers, &set, &tree, &letters, &queue));
    say!("collections", "map", "{{\"key\":-7}}");
    say!("collections", "numbers", "[[9,[3,0.5]]]");
    say!("collections", "set", "[7]");
    say!("collections", "tree", "[{}]", tree.iter().map(|(k, v)| format!("[{},\"{}\"]", k, v)).collect::<Vec<_>>().join(","));
    say!("collections", "letters", "[\"a\",\"b\",\"c\"]");
    say!("collections", "queue", "[3,4,5]");
    owners();
    black_box((map, numbers, set, tree, letters, queue));
}

#[inline(never)]
fn enums(level: Level, other: Level) {
    let unit = Shape::Unit;
    let circle = Shape::Circle(2.5);
    let rect = Shape::Rect { w: 3, h: 4 };
    let named = Shape::Named(String::from("name"));
    let some: Option<u16> = Some(6);
    let none: Option<u16> = None;
    let some_box: Option<Box<i32>> = Some(Box::new(11));
    let no_box: Option<Box<i32>> = None;
    let good: Result<u8, String> = Ok(1);
    let bad: Result<u8, String> = Err(String::from("bad"));
    black_box((&unit, &circle, &rect, &named, &some, &none, &some_box, &no_box, &good, &bad, &level, &other));
    say!("enums", "level", "\"Low\"");
    say!("enums", "other", "\"High\"");
    say!("enums", "unit", "\"Unit\"");
    say!("enums", "circle", "{{\"Circle\":2.5}}");
    say!("enums", "rect", "{{\"Rect\":{{\"w\":3,\"h\":4}}}}");
    say!("enums", "named", "{{\"Named\":\"name\"}}");
    say!("enums", "some", "{{\"Some\":6}}");
    say!("enums", "none", "\"None\"");
    say!("enums", "some_box", "{{\"Some\":11}}");
    say!("enums", "no_box", "\"None\"");
    say!("enums", "good", "{{\"Ok\":1}}");
    say!("enums", "bad", "{{\"Err\":\"bad\"}}");
    collections();
    black_box((unit, circle, rect, named, some, none, some_box, no_box, good, bad));
}

#[inline(never)]
fn texts(text: &str, list: &[i32], owned: String, words: Vec<String>) {
    let part = &text[2..];
    let array = [1u8, 128, 255];
    let empty: Vec<u64> = Vec::new();
    let tuple = (1i32, "two", 3.5f32);
    black_box((&part, &array, &empty, &tuple));
    say!("texts", "text", "\"{}\"", text);
    say!("texts", "list", "{:?}", list);
    say!("texts", "owned", "\"{}\"", owned);
    say!("texts", "words", "{:?}", words);
    say!("texts", "part", "\"{}\"", part);
    say!("texts", "array", "{:?}", array);
    say!("texts", "empty", "[]");
    say!("texts", "tuple", "[1,\"two\",3.5]");
    enums(Level::Low, Level::High);
    black_box((part, array, empty, tuple, owned, words));
}

#[inline(never)]
fn numbers(a: i8, b: u8, c: i16, d: u16, e: i32, f: u32, g: i64, h: u64, i: isize, j: u128, k: f32, l: f64, m: bool, n: char) {
    let sum = e as i64 + g;
    black_box((&a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k, &l, &m, &n, &sum));
    say!("numbers", "a", "{}", a);
    say!("numbers", "b", "{}", b);
    say!("numbers", "c", "{}", c);
    say!("numbers", "d", "{}", d);
    say!("numbers", "e", "{}", e);
    say!("numbers", "f", "{}", f);
    say!("numbers", "g", "{}", g);
    say!("numbers", "h", "{}", h);
    say!("numbers", "i", "{}", i);
    say!("numbers", "j", "\"{}\"", j);
    say!("numbers", "k", "{}", k);
    say!("numbers", "l", "{}", l);
    say!("numbers", "m", "{}", m);
    say!("numbers", "n", "\"{}\"", n);
    say!("numbers", "sum", "{}", sum);
    texts("a text", &[5, -6], String::from("owned"), vec![String::from("x"), String::from("yy")]);
    black_box(sum);
}

fn main() {
    println!("-\tGREETING\t\"{}\"\n-\tNUMBERS\t{:?}", GREETING, NUMBERS);
    numbers(-100, 200, -30000, 60000, -2000000000, 4000000000, -9000000000000000000, 18000000000000000000, -1, 1 << 100, 1.5, -2.25, true, 'é');
}
