//! ranks MODE: Rust names and Rust endings.
//!
//! main -> ranks::march -> a generic -> a closure -> a trait method -> the mode.
//! With -C panic=abort or unwind; symbols mangled the legacy or the v0 way.

use std::fmt::Debug;

/// Hide a value from the optimiser (std::hint::black_box is younger than rustc 1.63).
#[inline(always)]
fn keep<T>(v: T) -> T {
    let seen = unsafe { std::ptr::read_volatile(&v) };
    std::mem::forget(v);
    seen
}

mod drill {
    pub mod deep {
        #[inline(never)]
        pub fn poke(p: *mut i32, v: i32) -> i32 {
            unsafe { std::ptr::write_volatile(p, v) };
            v + 1
        }
    }

    pub trait Step {
        fn step(&self, v: i32) -> i32;
    }

    pub struct Left<T>(pub T);

    impl<T: Copy + Into<i64>> Step for Left<T> {
        #[inline(never)]
        fn step(&self, v: i32) -> i32 {
            let wide: i64 = self.0.into();
            super::keep(super::end(wide as i32 + v) + 1)
        }
    }
}

use drill::Step;

static mut MODE: u8 = 0;

#[inline(never)]
fn end(v: i32) -> i32 {
    match unsafe { MODE } {
        0 => keep(drill::deep::poke(keep(std::ptr::null_mut()), v) + 1),
        1 => keep(out_of_range(v) + 1),
        2 => keep(none_there(None::<&str>, v) + 1),
        _ => keep(recurse(v as u64) as i32 + 1),
    }
}

#[inline(never)]
fn out_of_range(v: i32) -> i32 {
    let few = keep(vec![1, 2, 3]);
    few[v as usize + 100]
}

#[inline(never)]
fn none_there<T: Debug>(o: Option<T>, v: i32) -> i32 {
    keep(o).expect("nothing here");
    v
}

#[inline(never)]
fn recurse(n: u64) -> u64 {
    let pad = keep([n; 16]);
    if n == 0 {
        return 1;
    }
    keep(recurse(n + 1) + pad[3])
}

#[inline(never)]
fn apply<F: Fn(i32) -> i32>(f: F, v: i32) -> i32 {
    keep(f(v) + 1)
}

#[inline(never)]
fn march(v: i32) -> i32 {
    let step: Box<dyn Step> = keep(Box::new(drill::Left(7u8)));
    apply(
        #[inline(never)]
        |x| keep(step.step(x) + 1),
        v,
    ) + 1
}

fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    unsafe {
        MODE = match mode.as_str() {
            "segv" => 0,
            "index" => 1,
            "expect" => 2,
            "overflow" => 3,
            "thread" => 1,
            _ => std::process::exit(2),
        }
    };
    if mode == "thread" {
        std::thread::spawn(|| keep(march(1))).join().unwrap();
    }
    keep(march(1));
}
