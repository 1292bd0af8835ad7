#!/usr/bin/perl
# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# What jobs ask of their LRM beside their processes, as words for each of them; and what no value may be.

use strict;
use warnings;

use FindBin ();
use Test::More;
use lib "$FindBin::RealBin/../../main/perl/lib";
use Jobgate::Adapter::Fork      ();
use Jobgate::Condor::SubmitFile ();
use Jobgate::Pbs::Dialect       ();
use Jobgate::Pbs::Request       ();
use Jobgate::Resources          ();
use Jobgate::Sge::Submit        ();
use Jobgate::Slurm::Options     ();
use Jobgate::Wire               ();

my %SGE = (pe => 'smp', host_pe => 'mpi{each}', gpu_resource => 'gpu', exclusive_resource => 'exclusive', node_features => 'fast ssd');
my ($torque, $openpbs) = map { Jobgate::Pbs::Dialect->new($_, 20) } qw(torque openpbs);

sub spec { my ($asked, %more) = @_; return { executable => '/bin/true', job_type => 'MULTIPLE', count => 1, %more, resources => $asked } }

sub slurm  { my ($options, $fault) = Jobgate::Slurm::Options::of(spec(@_), {}); return $fault ? $fault->{sentence} : join ' ', @$options }
sub condor { my ($profile, $fault) = Jobgate::Condor::SubmitFile::profile(spec(@_), {}); return $fault ? $fault->{sentence} : $profile }
sub sge    { my ($words, $fault) = Jobgate::Sge::Submit::arguments('TAG', spec(@_), \%SGE); return $fault ? $fault->{sentence} : join ' ', @$words[ 0 .. $#$words - 7 ] }
sub pbs    { my ($dialect, @spec) = @_; my ($words, $fault) = Jobgate::Pbs::Request::words(spec(@spec), $dialect, {}); return $fault ? $fault->{sentence} : join ' ', @$words }

subtest 'Slurm' => sub {
    is slurm({}), '--ntasks=1', 'a job that asks for nothing is as it was';
    is slurm({ slots => 8, slots_per_host => 4, threads_per_process => 2 }), '--cpus-per-task=2 --ntasks=8 --ntasks-per-node=4';
    is slurm({ whole_nodes => 1 }), '--exclusive --ntasks=1';
    is slurm({ gpus => 2 }), '--gpus=2 --ntasks=1';
    is slurm({ gpus => 2, gpu_model => 'a100' }), '--gpus=a100:2 --ntasks=1';
    is slurm({ memory_per_slot => 101, threads_per_process => 2 }), '--cpus-per-task=2 --mem-per-cpu=51M --ntasks=1';
    is slurm({ memory => 1000 }, count => 4, host_count => 2), '--mem=500M --nodes=2 --ntasks=4';
    like slurm({ memory_per_slot => 1, memory => 1 }), qr/\AThe resource memory_per_slot has a value that it cannot have: .* takes one of them/;
    is slurm({ node_features => [qw(fast ssd)] }), '--constraint=fast&ssd --ntasks=1';
    is slurm({ hosts => [qw(node1 node2)] }), '--nodelist=node1,node2 --nodes=2 --ntasks=1';
    is slurm({ reservation => 'course' }), '--ntasks=1 --reservation=course';
    is slurm({ mail => ['a@b.example'], mail_on => [qw(STARTED FAILED)] }), '--mail-type=BEGIN,FAIL --mail-user=a@b.example --ntasks=1';
};

subtest 'HTCondor' => sub {
    is condor({}), '', 'a job that asks for nothing is as it was';
    is condor({ threads_per_process => 3 }, count => 2), "request_cpus = 3\n";
    is condor({ slots => 4 }, count => 2), "request_cpus = 2\n";
    is condor({ gpus => 2, gpu_model => 'A100' }, count => 2), "request_gpus = 1\nrequire_gpus = DeviceName == \"A100\"\n";
    is condor({ memory_per_slot => 100 }), "request_memory = 100\n";
    is condor({ memory => 101 }, count => 2), "request_memory = 51\n";
    is condor({ node_features => ['HasSsd'], hosts => [qw(a b)], architecture => 'x86_64', operating_system => 'Linux' }),
        qq[requirements = (TARGET.HasSsd =?= true) && member(TARGET.Machine, {"a", "b"}) && (TARGET.Arch == "x86_64") && (TARGET.OpSys == "Linux")\n];
    is condor({ mail => [qw(a@b c@d)], mail_on => ['ENDED'] }), "notification = complete\nnotify_user = a\@b, c\@d\n";
    like condor({ mail => ['a@b'], mail_on => ['STARTED'] }), qr/cannot give jobs the resource mail: it sends none when a job starts/;
    like condor({ node_features => ['a-b'] }), qr/node_features .* attribute of the machine/;
    like condor({ $_ => 1 }), qr/HTCondor cannot give jobs the resource $_\b/, $_ for qw(slots_per_host whole_nodes reservation pre_command);
    my $text = Jobgate::Condor::SubmitFile::text(condor({ mail => ['a@b'], mail_on => ['FAILED'] }), [ [ 'T', 0, 1 ] ], jobs => '/j', log => '/l', spool => '/s');
    is join(' ', $text =~ /^notification = (\w+)$/mg), 'error', 'mail that was asked for is not switched off again';
    like Jobgate::Condor::SubmitFile::text('', [ [ 'T', 0, 1 ] ], jobs => '/j', log => '/l', spool => '/s'), qr/^notification = never$/m;
};

subtest 'Grid Engine' => sub {
    is sge({}), '', 'a job that asks for nothing is as it was';
    is sge({ threads_per_process => 3 }), '-pe smp 3';
    is sge({ slots => 4 }, threads_per_process => 1), '-pe smp 4';
    is sge({ slots => 4, slots_per_host => 2 }, job_type => 'MPI'), '-pe mpi2 4';
    is sge({ whole_nodes => 1, gpus => 2 }), '-l exclusive=true -l gpu=2';
    is sge({ memory_per_slot => 100 }), '-l mem_free=100M';
    is sge({ memory => 101, slots => 2 }), '-l mem_free=51M -pe smp 2';
    is sge({ node_features => ['ssd'], hosts => ['node1'] }), '-l hostname=node1 -l ssd=true';
    like sge({ node_features => ['h_rt'] }), qr/cannot give jobs the resource node_features: the site has not listed it/;
    is sge({ architecture => 'x86_64' }), '-l arch=*-amd64';
    is sge({ architecture => 'aarch64', operating_system => 'Linux' }), '-l arch=lx-arm64';
    like sge({ architecture => 'vax' }), qr/resource architecture/;
    is sge({ reservation => '17' }), '-ar 17';
    like sge({ reservation => 'x' }), qr/in Grid Engine it is a number/;
    is sge({ mail => ['a@b'], mail_on => [qw(STARTED ENDED FAILED)] }), '-M a@b -m bea';
    is_deeply [ Jobgate::Sge::Submit::resources({ min_memory_resource => 'none' }) ], [qw(hosts architecture operating_system reservation mail)], 'what the site names nothing for cannot be had';
};

subtest 'PBS' => sub {
    is pbs($torque,  {}), '-l nodes=1:ppn=1 -r y', 'TORQUE: a job that asks for nothing';
    is pbs($openpbs, {}), '-l select=1:ncpus=1:mpiprocs=1 -r y', 'OpenPBS: a job that asks for nothing';
    is pbs($torque,  { slots => 8, slots_per_host => 4 }), '-l nodes=2:ppn=4 -r y';
    is pbs($torque,  { threads_per_process => 2 }, count => 2), '-l nodes=1:ppn=4 -r y';
    like pbs($torque, { slots_per_host => 1, threads_per_process => 2 }, count => 2), qr/threads_per_process: it is for jobs on one host only/;
    is Jobgate::Pbs::Request::hosts(spec({ slots_per_host => 2 }, count => 5)), 3, 'the hosts over which the processes are spread';
    is pbs($openpbs, { slots => 8, slots_per_host => 4, threads_per_process => 2 }), '-l place=scatter -l select=2:ncpus=8:mpiprocs=4:ompthreads=2 -r y';
    is pbs($openpbs, { whole_nodes => 1 }), '-l place=excl -l select=1:ncpus=1:mpiprocs=1 -r y';
    is pbs($torque,  { gpus => 3, gpu_mode => 'EXCLUSIVE_PROCESS' }, count => 2, host_count => 2), '-l nodes=2:ppn=1:gpus=2:exclusive_process -r y';
    is pbs($openpbs, { gpus => 3 }, count => 2, host_count => 2), '-l place=scatter -l select=2:ncpus=1:mpiprocs=1:ngpus=2 -r y';
    is pbs($torque,  { memory_per_slot => 100, memory => 300 }), '-l mem=300mb -l nodes=1:ppn=1 -l pmem=100mb -r y';
    is pbs($openpbs, { memory_per_slot => 100 }, count => 3), '-l select=1:ncpus=3:mpiprocs=3:mem=300mb -r y';
    is pbs($openpbs, { memory => 300 }), '-l select=1:ncpus=1:mpiprocs=1:mem=300mb -r y';
    is pbs($torque,  { node_features => ['fast'] }), '-l nodes=1:ppn=1:fast -r y';
    is pbs($torque,  { hosts => [qw(n1 n2)] }, count => 2), '-l nodes=n1:ppn=1+n2:ppn=1 -r y';
    is pbs($openpbs, { hosts => [qw(n1 n2)] }, count => 2), '-l place=scatter -l select=1:host=n1:ncpus=1:mpiprocs=1+1:host=n2:ncpus=1:mpiprocs=1 -r y';
    is pbs($torque,  { mail => ['a@b'], mail_on => [qw(ENDED)] }), '-M a@b -m e -l nodes=1:ppn=1 -r y';
    my %common = map { $_ => join ' ', Jobgate::Pbs::Request::common('01a1fa37-2a75-7000-8000-000000000001', $torque, {}, spec({ $_ ? (mail => ['a@b']) : () })) } 0, 1;
    like $common{0}, qr/ -m n\z/, 'without a wish no mail is sent';
    unlike $common{1}, qr/ -m /;
    like pbs($torque, { slots => 2 }, extensions => [ { name => 'nodes', text => '1:ppn=2' } ]), qr/the extension nodes says it, too/;
    like pbs($torque, { hosts => ['1'] }), qr/begins with a letter/;
};

subtest 'Fork' => sub {
    my $adapter = Jobgate::Adapter::Fork->new(settings => {});
    my $of = sub { my $fault = $adapter->_refusal({ tag => 'T', description => Jobgate::Wire::encode(spec(@_)) }); return $fault ? $fault->{sentence} : '' };
    my ($system, $machine) = (POSIX::uname())[ 0, 4 ];
    is $of->({ architecture => $machine, operating_system => lc $system, open_files => 64, threads_per_process => 2, pre_command => ['x'] }), '';
    like $of->({ architecture => 'vax' }), qr/architecture: this machine is \Q$machine\E/;
    like $of->({ pre_command => ['x'] }, count => 2), qr/pre_command: it is for jobs of one process/;
    like $of->({ $_ => 1 }), qr/Fork cannot give jobs the resource $_\b/, $_
        for qw(slots slots_per_host whole_nodes gpus gpu_model gpu_mode memory_per_slot memory node_features hosts reservation mail);
};

subtest 'no value is more than it may be' => sub {
    my @names = qw(gpu_model node_features hosts architecture operating_system reservation mail);
    for my $text ('', '-x', 'a b', "a\nb", "a\n", 'a,b', 'a;b', 'a|b', 'a=b', 'a:b', '$(id)', '`id`', 'a"b', "a'b", 'a&b', "\xc3\xa4") {
        for my $name (@names) { is((Jobgate::Resources::refusal(spec({ $name => [$text] }), 'X', $name) // {})->{fault}, 'INVALID_DESCRIPTION', "$name") }
    }
    for my $text ('', '0', '-1', '1 ', "1\n", '1e3', '0x1', '99999999999') {
        is((Jobgate::Resources::refusal(spec({ $_ => $text }), 'X', $_) // {})->{fault}, 'INVALID_DESCRIPTION', $_) for qw(slots slots_per_host threads_per_process gpus open_files processes);
    }
    is(Jobgate::Resources::refusal(spec({ no_such => 1 }), 'X', 'no_such')->{fault}, 'UNSUPPORTED_FEATURE', 'what nobody knows is refused');
    is(Jobgate::Resources::refusal(spec({ slots => [1] }), 'X', 'slots')->{fault}, 'INVALID_DESCRIPTION');
    is(Jobgate::Resources::refusal(spec({}), 'X'), undef);
};

done_testing;
