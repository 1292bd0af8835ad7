# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Resources;

# What a job asks of its LRM beside its processes (the field "resources" of a description): which of it an adapter can give, and that each value
# has the form that it must have. The gateway has checked the same; here it is checked again, because what follows goes into words of an LRM.

use strict;
use warnings;

use Jobgate::Adapter ();

my $COUNT = qr/\A[1-9][0-9]{0,7}\z/;
my $SIZE  = qr/\A[0-9]{1,19}\z/;
my $NAME  = qr/\A[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}\z/;
my $MAIL  = qr/\A[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}\@[A-Za-z0-9][A-Za-z0-9.-]{0,189}\z/;
my $WORD  = qr/\A[^\0]{0,16384}\z/;

# in the order in which they are looked at
my @ALL = (
    [ slots           => $COUNT ], [ slots_per_host => $COUNT ], [ threads_per_process => $COUNT ], [ whole_nodes => qr/\A1\z/ ], [ gpus => $COUNT ],
    [ gpu_model       => $NAME ], [ gpu_mode => qr/\A(?:SHARED|EXCLUSIVE_PROCESS|EXCLUSIVE_THREAD)\z/ ], [ memory_per_slot => $SIZE ], [ memory => $SIZE ],
    [ cpu_time        => $SIZE ], [ file_size => $SIZE ], [ core_size => $SIZE ], [ stack_size => $SIZE ], [ open_files => $COUNT ], [ processes => $COUNT ],
    [ data_size       => $SIZE ], [ locked_memory => $SIZE ], [ address_space => $SIZE ],
    [ node_features   => $NAME ], [ hosts => $NAME ], [ architecture => $NAME ], [ operating_system => $NAME ], [ reservation => $NAME ],
    [ pre_command     => $WORD ], [ post_command => $WORD ], [ mail => $MAIL ],
);
my %IS_LIST = map { $_ => 1 } qw(node_features hosts pre_command post_command mail);

# What the launcher of the job gives, whatever the LRM is.
my @LIMITS   = qw(cpu_time file_size core_size stack_size open_files processes data_size locked_memory address_space);
my @COMMANDS = qw(pre_command post_command);

sub names    { return map { $_->[0] } @ALL }
sub limits   { return @LIMITS }
sub commands { return @COMMANDS }

# What the job asks for; an empty hash where it asks for nothing.
sub of {
    my ($spec) = @_;
    return ref $spec->{resources} eq 'HASH' ? $spec->{resources} : {};
}

# Why the LRM of this name, which can give these, is not given such a job: the first that it cannot give, or that has not the form; nothing where all is well.
sub refusal {
    my ($spec, $lrm, @can) = @_;
    my %asked = %{ of($spec) } or return;
    delete $asked{mail_on};
    my %can = map { $_ => 1 } @can;
    for my $one (@ALL) {
        my ($name, $form) = @$one;
        next unless exists $asked{$name};
        my $value = delete $asked{$name};
        my @values = $IS_LIST{$name} && ref $value eq 'ARRAY' ? @$value : ($value);
        return cannot($name, $values[0], $lrm) unless $can{$name};
        for my $text (@values) { return wrong($name, $text) if !defined $text || ref $text || $text !~ $form }
    }
    my ($unknown) = sort keys %asked;
    return defined $unknown ? cannot($unknown, $asked{$unknown}, $lrm) : undef;
}

# An LRM that cannot give it; why says more.
sub cannot {
    my ($name, $value, $lrm, $why) = @_;
    return Jobgate::Adapter::fault('UNSUPPORTED_FEATURE', "$lrm cannot give jobs the resource $name" . (defined $why ? ": $why." : '.'), 'Leave it out, or use another LRM.',
        attribute => $name, value => substr ref $value ? '' : $value // '', 0, 256);
}

sub wrong {
    my ($name, $value, $why) = @_;
    return Jobgate::Adapter::fault('INVALID_DESCRIPTION', "The resource $name has a value that it cannot have" . (defined $why ? ": $why." : '.'), 'Correct it, or leave it out.',
        attribute => $name, value => substr ref $value ? '' : $value // '', 0, 256);
}

# --- sums -----------------------------------------------------------------------------------------------------------------------------

sub processes { my ($spec) = @_; return ($spec->{job_type} // 'MULTIPLE') eq 'SINGLE' ? 1 : $spec->{count} || 1 }

# The slots of the job: one for each process where it does not say how many.
sub slots { my ($spec) = @_; return of($spec)->{slots} // processes($spec) }

# The processors of one slot.
sub threads { my ($spec) = @_; return of($spec)->{threads_per_process} // 1 }

sub share { my ($all, $parts) = @_; return int(($all + $parts - 1) / $parts) }

1;

__END__

=head1 NAME

Jobgate::Resources - what a job asks of its LRM beside its processes

=head1 RESOURCES

The names are those of C<org.jobgate.job.Resource> in small letters; docs/reference/resources.md says what each is, and which LRM gives it. A list are
C<node_features>, C<hosts>, C<pre_command>, C<post_command> (words) and C<mail> (addresses, with C<mail_on>: STARTED, ENDED, FAILED). Memory is in MiB, C<cpu_time> in seconds,
C<file_size>, C<core_size>, C<stack_size>, C<data_size>, C<locked_memory> and C<address_space> in bytes.

=head1 FOR ADAPTERS

C<resources> of an adapter lists what it can give; a job that asks for another is refused by name before the adapter's own C<refusal> is asked. An adapter on
L<Jobgate::Adapter::Batch> has the limits and commands from the launcher.

=cut
