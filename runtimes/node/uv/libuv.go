package uv

import (
	"reflect"

	"coredbg/runtimes/layout"
)

// A Libuv is every number of libuv and of Node's wraps that decoding depends on:
// offsets and sizes in bytes, and bits. The tags have upstream's names.
type Libuv struct {
	Loop struct {
		ActiveHandles int `uv:"uv_loop_t.active_handles"`
		HandleQueue   int `uv:"uv_loop_t.handle_queue"`
		ActiveReqs    int `uv:"uv_loop_t.active_reqs"`
		StopFlag      int `uv:"uv_loop_t.stop_flag"`
		BackendFD     int `uv:"uv_loop_t.backend_fd"`
		PendingQueue  int `uv:"uv_loop_t.pending_queue"`
		WatcherQueue  int `uv:"uv_loop_t.watcher_queue"`
		NWatchers     int `uv:"uv_loop_t.nwatchers"`
		NFDs          int `uv:"uv_loop_t.nfds"`
		WorkQueue     int `uv:"uv_loop_t.wq"`
	}
	// Async counts from uv_loop_t.wq_async on: the mutex before it is as large
	// as the C library makes it.
	Async struct {
		ClosingHandles int `uv:"uv_loop_t.closing_handles"`
		TimerHeap      int `uv:"uv_loop_t.timer_heap"` // {min, nelts}
		Time           int `uv:"uv_loop_t.time"`       // uint64, milliseconds
	}
	Handle struct {
		Data        int `uv:"uv_handle_t.data"`
		Loop        int `uv:"uv_handle_t.loop"`
		Type        int `uv:"uv_handle_t.type"`
		Queue       int `uv:"uv_handle_t.handle_queue"`
		NextClosing int `uv:"uv_handle_t.next_closing"`
		Flags       int `uv:"uv_handle_t.flags"`
		Size        int `uv:"sizeof(uv_handle_t)"` // where a type's own fields begin
	}
	Stream struct {
		FD           int `uv:"uv_stream_t.io_watcher.fd"`
		ConnectionCB int `uv:"uv_stream_t.connection_cb"` // set by uv_listen
	}
	UDP struct {
		FD int `uv:"uv_udp_t.io_watcher.fd"`
	}
	Poll struct {
		FD int `uv:"uv_poll_t.io_watcher.fd"`
	}
	Timer struct {
		Timeout int `uv:"uv_timer_t.timeout"`
		Repeat  int `uv:"uv_timer_t.repeat"`
	}
	Signal struct {
		Number int `uv:"uv_signal_t.signum"`
	}
	Process struct {
		PID int `uv:"uv_process_t.pid"`
	}
	// Flag has bits of uv_handle_t.flags.
	Flag struct {
		Closing  int `uv:"UV_HANDLE_CLOSING"`
		Closed   int `uv:"UV_HANDLE_CLOSED"`
		Active   int `uv:"UV_HANDLE_ACTIVE"`
		Ref      int `uv:"UV_HANDLE_REF"`
		Internal int `uv:"UV_HANDLE_INTERNAL"`
		Reading  int `uv:"UV_HANDLE_READING"`
	}
	BaseObject struct {
		PersistentHandle int `uv:"node::BaseObject.persistent_handle_"` // after the vtable
	}
}

// libuv returns the numbers of libuv 1.34 to 1.52 on a system of 64 bits, where they have not moved: include/uv.h,
// include/uv/unix.h, include/uv/linux.h, include/uv/darwin.h, src/uv-common.h; and of Node, src/base_object.h.
func libuv(system string) *Libuv {
	u := &Libuv{}
	l := &u.Loop
	l.ActiveHandles, l.HandleQueue, l.ActiveReqs, l.StopFlag, l.BackendFD = 8, 16, 32, 48, 64
	l.PendingQueue, l.WatcherQueue, l.NWatchers, l.NFDs, l.WorkQueue = 72, 88, 112, 116, 120
	u.Async.ClosingHandles, u.Async.TimerHeap, u.Async.Time = 184, 344, 368
	h := &u.Handle
	h.Data, h.Loop, h.Type, h.Queue, h.NextClosing, h.Flags, h.Size = 0, 8, 16, 32, 80, 88, 96
	u.Stream.FD, u.Stream.ConnectionCB = 184, 224
	u.UDP.FD, u.Poll.FD = 176, 152
	u.Timer.Timeout, u.Timer.Repeat = 128, 136
	u.Signal.Number, u.Process.PID = 104, 104
	f := &u.Flag
	f.Closing, f.Closed, f.Active, f.Ref, f.Internal, f.Reading = 1<<0, 1<<1, 1<<2, 1<<3, 1<<4, 1<<12
	u.BaseObject.PersistentHandle = 8
	if system == "darwin" { // a lock for readers has 200 bytes, not 56, and uv__io_t 8 more
		u.Async.ClosingHandles, u.Async.TimerHeap, u.Async.Time = 328, 496, 520
		u.Stream.ConnectionCB = 232
	}
	return u
}

// Facts returns each number with its name and what supplies it.
func (u *Libuv) Facts() []layout.Fact {
	return layout.Fill(u, func(class, field reflect.StructField, value int) layout.Fact {
		source := "include/uv.h @ 1.34"
		if class.Name == "BaseObject" {
			source = "src/base_object.h @ 12.0"
		}
		return layout.Fact{Name: field.Tag.Get("uv"), Value: value, Supplier: layout.FromTable, Source: source}
	})
}
