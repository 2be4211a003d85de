# well.pl MODE
use strict; use warnings; use IO::Socket::INET; use IO::Select;
my $m = $ARGV[0];
if ($m eq 'sleep') { sleep 99 }
elsif ($m eq 'select') { select(undef, undef, undef, 99) }
elsif ($m eq 'read') { my $l = <STDIN> }
elsif ($m eq 'accept') { IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1')->accept }
elsif ($m eq 'wait') { my $p = fork; if (!$p) { exec 'sleep', '99' } waitpid($p, 0) }
elsif ($m eq 'died') { eval { die "caught\n" }; eval { my $x; no strict; no warnings; $x->{a}{b}; 1 / 0 }; sleep 99 }
elsif ($m eq 'alarm') { local $SIG{ALRM} = sub { }; alarm 90; sleep 99 }
elsif ($m eq 'works') { my $i = 0; $i++ while 1 }
elsif ($m eq 'collects') { while (1) { my @a = map { "x$_" } 1 .. 100 } }
