# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package PbsStandin::Show;

# Jobs, queues and nodes as the real commands print them: the short table, the full form with long values folded, OpenPBS's JSON.

use strict;
use warnings;

use JSON::PP ();
use POSIX ();

use constant WIDTH => 77;

# --- attributes, as [ name, value ] in the order of the real ones; a dot divides a resource from its group --------------------------------

sub attributes_of {
    my ($job, $config) = @_;
    my $torque = $config->{dialect}->is_torque;
    my @is = ([ Job_Name => $job->{name} ], [ Job_Owner => "$job->{user}{name}\@$config->{server}" ]);
    push @is, map { [ "resources_used.$_" => $job->{used}{$_} ] } sort keys %{ $job->{used} };
    push @is, [ job_state => $job->{state} ], [ queue => $job->{queue} ], [ server => $config->{server} ];
    push @is, [ Account_Name => $job->{options}{A} ] if defined $job->{options}{A};
    push @is, [ Checkpoint => 'u' ], [ ctime => _when($job->{ctime}) ], [ Error_Path => "$config->{server}:$job->{error}" ];
    push @is, [ exec_host => $job->{exec_host} ] if $job->{exec_host};
    push @is, [ Hold_Types => $job->{hold} // 'n' ], [ Join_Path => $job->{options}{j} // 'n' ], [ Keep_Files => 'n' ],
        [ Mail_Points => $job->{options}{m} // 'a' ], [ mtime => _when($job->{mtime}) ],
        [ Output_Path => "$config->{server}:$job->{output}" ], [ Priority => $job->{options}{p} // 0 ], [ qtime => _when($job->{qtime}) ],
        [ Rerunable => ($job->{options}{r} // 'y') eq 'y' ? 'True' : 'False' ];
    push @is, map { [ "Resource_List.$_" => $job->{resources}{$_} ] } sort keys %{ $job->{resources} };
    push @is, [ stime => _when($job->{stime}) ] if $job->{stime} && !$torque;
    push @is, [ session_id => $job->{session} ] if $job->{session};
    push @is, [ substate => $job->{substate} ] if !$torque || $job->{session};
    push @is, [ Variable_List => join ',', map { "$_->[0]=$_->[1]" } @{ $job->{variables} } ];
    push @is, [ comment => $job->{comment} ] if defined $job->{comment};
    push @is, [ etime => _when($job->{etime}) ];
    push @is, [ run_count => $job->{run_count} ] if $job->{run_count} && !$torque;
    push @is, [ start_time => _when($job->{stime}) ], [ start_count => $job->{run_count} ] if $job->{stime} && $torque;
    push @is, [ ($torque ? 'exit_status' : 'Exit_status') => $job->{exit_status} ] if defined $job->{exit_status};
    push @is, [ ($torque ? 'comp_time' : 'history_timestamp') => $torque ? _when($job->{comp_time}) : $job->{comp_time} ] if $job->{comp_time};
    push @is, [ project => $job->{options}{P} // '_pbs_project_default' ] unless $torque;
    return @is;
}

sub _when { return POSIX::strftime('%a %b %e %H:%M:%S %Y', localtime $_[0]) }

sub _attributes_of_queue {
    my ($name, $queue, $config, @jobs) = @_;
    my %in;
    $in{ $_->{state} }++ for grep { $_->{queue} eq $name } @jobs;
    my $torque = $config->{dialect}->is_torque;
    my $counts = sprintf 'Transit:0 Queued:%d Held:%d Waiting:0 Running:%d Exiting:%d %s:%d', $in{Q} // 0, $in{H} // 0, ($in{R} // 0) + ($in{S} // 0),
        $in{E} // 0, $torque ? ('Complete', $in{C} // 0) : ('Begun', 0);
    my @is = ([ queue_type => 'Execution' ], [ total_jobs => scalar grep { $_->{queue} eq $name && $_->{state} ne 'F' } @jobs ],
        [ state_count => $counts . ($torque ? '' : ' ') ]);
    push @is, [ max_queuable => $queue->{max_queuable} ] if defined $queue->{max_queuable};
    push @is, [ 'resources_max.walltime' => $queue->{walltime} ] if defined $queue->{walltime};
    push @is, [ 'resources_max.' . ($torque ? 'procct' : 'ncpus') => $queue->{processors} ] if defined $queue->{processors};
    push @is, [ acl_user_enable => 'True' ], [ acl_users => $queue->{users} ] if defined $queue->{users};
    push @is, [ mtime => 1163000000 ] if $torque;
    return (@is, [ enabled => $queue->{disabled} ? 'False' : 'True' ], [ started => $queue->{stopped} ? 'False' : 'True' ]);
}

# --- the full form --------------------------------------------------------------------------------------------------------------

sub full {
    my ($title, $attributes, $folded) = @_;
    return join '', "$title\n", (map { _line($_->[0], $_->[1], $folded) . "\n" } @$attributes), "\n";
}

# A value that does not fit is broken behind commas, and where it has none, anywhere; the next line begins with a tab.
sub _line {
    my ($name, $value, $folded) = @_;
    my $text = "    $name = ";
    return $text . $value unless $folded;
    my $column = length($name) + 7;
    my @parts = split /,/, $value, -1;
    for my $i (0 .. $#parts) {
        my $part = $parts[$i];
        if (length($part) + $column < WIDTH) { $text .= $part; $column += length $part }
        else {
            if ($i > 0) { $text .= "\n\t"; $column = 9 }
            for my $character (split //, $part) {
                $text .= $character;
                if (++$column > WIDTH) { $text .= "\n\t"; $column = 8 }
            }
        }
        $text .= ',' if $i < $#parts;
    }
    return $text;
}

sub job  { my ($job, $config, $folded) = @_; return full("Job Id: $job->{id}", [ attributes_of($job, $config) ], $folded) }

sub queues {
    my ($config, $names, @jobs) = @_;
    return join '', map { full("Queue: $_", [ _attributes_of_queue($_, $config->{queues}{$_}, $config, @jobs) ], 1) } @$names;
}

sub server {
    my ($config, @jobs) = @_;
    return full("Server: $config->{server}", [ [ server_state => 'Active' ], [ scheduling => 'True' ], [ total_jobs => scalar @jobs ],
        [ default_queue => $config->{default} ], [ pbs_version => $config->{dialect}{version} ] ], 1);
}

# --- OpenPBS's JSON -------------------------------------------------------------------------------------------------------------

sub json {
    my ($config, @jobs) = @_;
    my %jobs = map { $_->{id} => _tree(attributes_of($_, $config)) } @jobs;
    return JSON::PP->new->latin1->pretty->canonical->encode({ timestamp => time, pbs_version => $config->{dialect}{version}, pbs_server => $config->{server},
        %jobs ? (Jobs => \%jobs) : () });
}

sub _tree {
    my %tree;
    for (@_) {
        my ($name, $value) = @$_;
        my ($group, $resource) = split /[.]/, $name, 2;
        my $typed = $value =~ /\A-?[0-9]{1,15}\z/ ? $value + 0 : $value;
        if    ($name eq 'Variable_List') { $tree{$name} = { map { my ($n, $v) = split /=/, $_, 2; $n => $v } split /,/, $value } }
        elsif (defined $resource)        { $tree{$group}{$resource} = $typed }
        else                             { $tree{$name} = $typed }
    }
    return \%tree;
}

# --- the short table ------------------------------------------------------------------------------------------------------------

sub table {
    my ($config, @jobs) = @_;
    return '' unless @jobs;
    my $text = "Job id                    Name             User            Time Use S Queue\n"
        . "------------------------- ---------------- --------------- -------- - -----\n";
    for (@jobs) { $text .= sprintf "%-25.25s %-16.16s %-15.15s %8.8s %1.1s %s\n", $_->{id}, $_->{name}, $_->{user}{name}, $_->{used}{cput} // '0', @$_{qw(state queue)} }
    return $text;
}

# --- nodes ----------------------------------------------------------------------------------------------------------------------

sub nodes {
    my ($config, @jobs) = @_;
    my @running = grep { $_->{state} =~ /[RSE]/ && $_->{exec_host} } @jobs;
    return join '', map { $config->{dialect}->is_torque ? _torque_node($_, $config, @running) : _openpbs_node($_, $config, @running) }
        map { "node$_" } 1 .. $config->{nodes};
}

sub _torque_node {
    my ($name, $config, @running) = @_;
    my @slots = map { my $job = $_; map { m{\A\Q$name\E/([0-9]+)\z} ? "$1/$job->{id}" : () } split /\+/, $job->{exec_host} } @running;
    my $state = $config->{down}{$name} ? 'down' : @slots >= $config->{np} ? 'job-exclusive' : 'free';
    my $jobs = @slots ? '     jobs = ' . join(', ', @slots) . "\n" : '';
    return "$name\n     state = $state\n     power_state = Running\n     np = $config->{np}\n     ntype = cluster\n$jobs"
        . "     status = rectime=1,state=free,ncpus=$config->{np},physmem=8000000kb\n     mom_service_port = 15002\n     mom_manager_port = 15003\n\n";
}

sub _openpbs_node {
    my ($name, $config, @running) = @_;
    my @slots = map { my $job = $_; map { m{\A\Q$name\E/([0-9]+)\z} ? "$job->{id}/$1" : () } split /\+/, $job->{exec_host} } @running;
    my $state = $config->{down}{$name} ? 'down' : @slots >= $config->{np} ? 'job-busy' : 'free';
    my $jobs = @slots ? '     jobs = ' . join(', ', @slots) . "\n" : '';
    return "$name\n     Mom = $name.$config->{server}\n     Port = 15002\n     pbs_version = $config->{dialect}{version}\n     ntype = PBS\n     state = $state\n"
        . "     pcpus = $config->{np}\n${jobs}     resources_available.arch = linux\n     resources_available.host = $name\n"
        . "     resources_available.mem = 8000000kb\n     resources_available.ncpus = $config->{np}\n     resources_available.vnode = $name\n"
        . '     resources_assigned.ncpus = ' . scalar(@slots) . "\n     resv_enable = True\n     sharing = default_shared\n\n";
}

1;
