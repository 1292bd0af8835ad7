# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Slurm::Submission;

# How jobs go into Slurm: what is refused before, the words of sbatch, and what it says. A part of Jobgate::Adapter::Slurm.

use strict;
use warnings;

use FindBin ();
use Time::HiRes ();
use Jobgate::Adapter           ();
use Jobgate::Commands          ();
use Jobgate::Resources         ();
use Jobgate::Slurm::Arrays     ();
use Jobgate::Slurm::Options    ();
use Jobgate::Slurm::Partitions ();

use constant {
    PARTITIONS_SECONDS => 60,     # for which what scontrol said of the partitions is believed
    REFUSAL_SECONDS    => 2,      # the same where a job is refused for it
};

# what sbatch says where the fault is in the description or the account; every other failure may pass
my $REFUSAL = join '|', '[Ii]nvalid (?:partition|account|qos|feature|node|generic resource|time|reservation|job array|license|wckey|cpu|argument|value|constraint|specification|--|-)',
    'Requested (?:node configuration|time limit|partition configuration|GRES|operation|reservation)', 'unrecognized option', 'requires an argument', 'not (?:permitted|supported)',
    '[Uu]nable to (?:set|parse)', '(?:Memory|Node count) specification', 'More processors requested', 'Job violates accounting', 'Access/permission denied', 'is not available', 'Incompatible begin and deadline';
# a limit on how many jobs may be in Slurm passes, and fewer may be taken
my $FULL = qr/MaxSubmitJob|GrpSubmitJob/;
my $BUSY = qr/$FULL|temporarily|try again|timed out|Unable to contact/i;

sub refusal {
    my ($self, $spec) = @_;
    my ($options, $fault) = Jobgate::Slurm::Options::of($spec, $self->{settings});
    return $fault if $fault;
    my $partitions = $self->_partitions(PARTITIONS_SECONDS) or return;
    return unless Jobgate::Slurm::Partitions::refusal($partitions, $spec);
    # the administrator may have changed it a moment ago
    $partitions = $self->_partitions(REFUSAL_SECONDS) or return;
    return Jobgate::Slurm::Partitions::refusal($partitions, $spec);
}

# The partitions as they were at most so many seconds ago; undef where Slurm does not say: then nothing is refused for it.
sub _partitions {
    my ($self, $seconds) = @_;
    my $now = Time::HiRes::time();
    return $self->{partitions} if defined $self->{partitions_at} && $now - $self->{partitions_at} < $seconds;
    @$self{qw(partitions partitions_at)} = (scalar eval { $self->_read_partitions }, $now);
    return $self->{partitions};
}

sub _read_partitions {
    my ($self) = @_;
    my $done = $self->commands->run([qw(scontrol --all --oneliner show partition)]);
    die 'scontrol: ' . Jobgate::Commands::said($done) . "\n" if $done->{exit} != 0;
    return Jobgate::Slurm::Partitions::parse($done->{out});
}

sub array_order {
    my ($self, @jobs) = @_;
    my @tags  = map { $_->{tag} } @jobs;
    # what may be wrong with the words is seen before anything is kept
    my @lines = map { "$_) exec " . join(' ', $self->launcher($tags[$_], $self->_spread($jobs[$_]))) . " ;;\n" } 0 .. $#tags;
    my $array = $self->arrays->keep(map { [ $_->{tag}, $_->{file}->out_path ] } @jobs);
    # one mail for each job: without this word Slurm sends one for the array
    my @asked = map { /\A--mail-type=./ ? "$_,ARRAY_TASKS" : $_ } @{ $self->asked_for($jobs[0]) };
    my @own = ('--parsable', '--job-name=' . Jobgate::Slurm::Arrays::name($array), '--comment=' . Jobgate::Slurm::Arrays::comment($array), "--array=0-$#tags",
        '--output=' . $self->arrays->out_pattern($array), $self->_common);
    my $script = "#!/bin/sh\ncase \$SLURM_ARRAY_TASK_ID in\n@{[ join '', @lines ]}esac\nexit 1\n";
    my $answer = sub {
        my ($done) = @_;
        my $of_all = $self->submit_answer($done);
        my $is_not_there = $of_all->{refused} || ($done->{exit} > 0 && $done->{err} =~ $FULL);
        return $self->array_answers($array, \@tags, is_not_there => $is_not_there, unclear => $of_all->{unclear}, ids => $of_all->{ids} && [ map { "$of_all->{ids}[0]_$_" } 0 .. $#tags ]);
    };
    return [ [ [ 'sbatch', @asked, @own ], text => $script ], $answer ];
}

sub asked_for { my ($self, $job) = @_; return (Jobgate::Slurm::Options::of($job->{spec}, $self->{settings}))[0] }

# The gateway's own options come last: of an option that is given twice, the last counts.
sub _common { my ($self) = @_; return ('--chdir=' . $self->spool, '--input=/dev/null', '--open-mode=append', '--export=ALL') }

sub submit_command {
    my ($self, $job) = @_;
    my $tag = $job->{tag};
    my @own = ('--parsable', "--job-name=jg-$tag", "--comment=jobgate:$tag", '--output=' . $job->{file}->out_path, $self->_common);
    return ([ 'sbatch', @{ $self->asked_for($job) }, @own ], text => $self->script($tag, $self->_spread($job)));
}

# Many processes are started by srun, over the nodes that Slurm gives the job.
sub _spread {
    my ($self, $job) = @_;
    my $spec = $job->{spec};
    my $is_mpi = ($spec->{job_type} // '') eq 'MPI';
    my $count = Jobgate::Slurm::Options::processes($spec);
    return if $count == 1 && !$is_mpi;
    my $mpi = $self->setting('mpi');
    die "the setting mpi is no name: $mpi\n" if defined $mpi && $mpi !~ /\A[a-z0-9_]{1,32}\z/;
    # since 22.05 srun does not take it over from sbatch
    my $threads = Jobgate::Resources::threads($spec);
    return ('srun', "--ntasks=$count", $threads > 1 ? "--cpus-per-task=$threads" : (), '--kill-on-bad-exit=0', '--input=none', $is_mpi && defined $mpi ? "--mpi=$mpi" : (),
        $^X, "$FindBin::RealBin/jobgate-job", $self->files($job->{tag}), $job->{tag}, 'step');
}

sub submit_answer {
    my ($self, $done, $job) = @_;
    return { ids => ["$1"] } if $done->{exit} == 0 && $done->{out} =~ /\A([1-9][0-9]{0,9})(?:;[A-Za-z0-9_.-]+)?\n\z/;
    my $said = said($done);
    return { unclear => "sbatch: $said" } if $done->{exit} <= 0 || $done->{err} =~ $BUSY || $done->{err} !~ $REFUSAL;
    return { refused => Jobgate::Adapter::fault('LRM_REFUSED', "Slurm did not take the job: $said", 'Correct what Slurm complains of, or ask the administrator.',
        command => 'sbatch', command_exit => $done->{exit}, output => substr $done->{err}, 0, 4096) };
}

# sbatch gives the cause first and then what it could not do for it.
sub said {
    my ($done) = @_;
    my @lines = map { s/\A\w+: (?:error|fatal): //r } grep { /\S/ } split /\n/, $done->{err};
    return @lines ? substr join('; ', @lines), 0, 500 : Jobgate::Commands::said($done);
}

sub new_arrays { my ($self, @spools) = @_; return Jobgate::Slurm::Arrays->new(@spools) }

1;
