#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# A smoke test: what the adapter says to qsub is taken by a qsub that others wrote, that of Slurm's Torque wrappers in the lab (docker/lab/torque-wrappers),
# and starts our launcher. Their qstat is not like a PBS's (docs/internals/lab.md), so nothing else of the adapter is tried.

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin ();
use POSIX ();
use Test::More;
use Time::HiRes qw(sleep time);
BEGIN { $FindBin::RealBin =~ s{/its\z}{} }
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::Pbs::Dialect ();
use Jobgate::Pbs::Request ();
use Jobgate::SpoolFile    ();
use Jobgate::Wire         ();

my $LAB   = $ENV{JOBGATE_LAB} // '/var/lib/jobgate-lab';
my $QSUB  = "$LAB/torque-wrappers/root/usr/bin/qsub";
my $CONF  = "$LAB/slurm/etc/slurm.conf";
my ($uid, $gid, $home) = (getpwnam 'jobgate-a')[ 2, 3, 7 ];
plan skip_all => "SKIPPED: no Torque wrappers at $LAB/torque-wrappers that root may use for jobgate-a; bring them up with: docker/lab/torque-wrappers up"
    unless -x $QSUB && $> == 0 && defined $uid;
$ENV{SLURM_CONF} = $CONF;
plan skip_all => 'SKIPPED: the Slurm of the lab does not answer' if system("timeout 60 sinfo >/dev/null 2>&1") != 0;

my $tag = sprintf '%08x-%04x-7000-8000-%012x', int(time * 1000) / 65536, int(time * 1000) % 65536, $$;
my $spool = tempdir('jobgate-wrappers-XXXXXX', TMPDIR => 1, CLEANUP => 1);
system('cp', '-r', "$FindBin::RealBin/../../main/perl", "$spool/perl") == 0 or die;
mkdir "$spool/jobs" or die $!;
my $spec = { executable => '/bin/sh', arguments => [ '-c', 'echo "$ODD" > odd; exit 3' ], environment => [ [ ODD => "a\nb \$(id) '" ] ], directory => "$spool/jobs", count => 1,
    job_type => 'SINGLE', max_wall_time => 120, max_memory_mib => 100 };
Jobgate::SpoolFile->new("$spool/jobs", $tag)->write(Jobgate::Wire::encode($spec));
open my $script, '>', "$spool/script" or die $!;
print {$script} "#!/bin/sh\nexec /usr/bin/perl $spool/perl/jobgate-job $spool/jobs $tag all\n";
close $script;
system('chown', '-R', "$uid:$gid", $spool) == 0 && system('chmod', '-R', 'a+rX', $spool) == 0 or die;

my $dialect = Jobgate::Pbs::Dialect->new('torque', 6);
my ($words) = Jobgate::Pbs::Request::words($spec, $dialect, {});
my $pid = open(my $qsub, '-|') // die $!;
if ($pid == 0) {
    $) = "$gid $gid";
    POSIX::setgid($gid);
    POSIX::setuid($uid);
    chdir $home;
    exec $QSUB, Jobgate::Pbs::Request::common($tag, $dialect, {}), @$words, "$spool/script" or die $!;
}
my $said = do { local $/; <$qsub> } // '';
close $qsub;
is $?, 0, 'qsub takes our words';
like $said, qr/^[0-9]+/m, 'and gives an id';

my $end;
for (1 .. 600) { $end = Jobgate::SpoolFile->new("$spool/jobs", $tag)->end_of and last; sleep 0.2 }
is_deeply [ @{ $end // {} }{qw(cause exit)} ], [ 'EXITED', 3 ], 'the launcher ran the job and left its end';
open my $odd, '<', "$spool/jobs/odd" or die $!;
is do { local $/; <$odd> }, "a\nb \$(id) '\n", 'the environment came byte for byte';

done_testing;
