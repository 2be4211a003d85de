# well.rb MODE
require 'socket'
require 'timeout'
case ARGV[0]
when 'sleep' then sleep 99
when 'threads' then 8.times { Thread.new { sleep 99 } }; sleep 99
when 'queue' then q = Queue.new; Thread.new { sleep 99 }; q.pop
when 'mutex' then m = Mutex.new; Thread.new { m.synchronize { sleep 99 } }; sleep 0.1; m.synchronize { 1 }
when 'accept' then TCPServer.new('127.0.0.1', 0).accept
when 'select' then IO.select([$stdin])
when 'wait' then Process.wait(spawn('sleep 99'))
when 'rescued' then begin; nil.foo; rescue NoMethodError; end; begin; def f; f; end; f; rescue SystemStackError; end; sleep 99
when 'timeout' then begin; Timeout.timeout(99) { sleep }; rescue Timeout::Error; end
when 'works' then i = 0; loop { i += 1 }
when 'collects' then loop { Array.new(100) { 'x' * 50 } }
end
