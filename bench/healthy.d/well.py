# well.py MODE
import sys, time, threading, queue, select, socket, subprocess, asyncio, multiprocessing, concurrent.futures, selectors
mode = sys.argv[1]
def spin():
    while True: sum(range(999))
def deep(n): return deep(n + 1) + 1
if mode == 'queue': queue.Queue().get()
elif mode == 'lock':
    l = threading.Lock(); l.acquire()
    for i in range(4): threading.Thread(target=l.acquire).start()
    time.sleep(99)
elif mode == 'condition':
    c = threading.Condition()
    with c: c.wait()
elif mode == 'select': select.select([sys.stdin], [], [])
elif mode == 'accept': s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen(); s.accept()
elif mode == 'child': subprocess.run(['sleep', '99'])
elif mode == 'server':
    async def main():
        s = await asyncio.start_server(lambda r, w: None, '127.0.0.1', 0)
        await s.serve_forever()
    asyncio.run(main())
elif mode == 'pool': concurrent.futures.ThreadPoolExecutor(8).map(time.sleep, [99] * 4); time.sleep(99)
elif mode == 'processes': multiprocessing.Pool(2).map(time.sleep, [99] * 2)
elif mode == 'caught':
    try: deep(0)
    except RecursionError: pass
    try: None.x
    except AttributeError: pass
    time.sleep(99)
elif mode == 'spins':
    for i in range(3): threading.Thread(target=spin).start()
    spin()
