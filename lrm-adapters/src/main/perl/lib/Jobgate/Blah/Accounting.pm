# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

package Jobgate::Blah::Accounting;

# BLAH's accounting log: one line for each job, written when the LRM has taken it, which APEL joins with the record of the batch system by the LRM's id.

use strict;
use warnings;

use Fcntl qw(O_APPEND O_CREAT O_NOFOLLOW O_NONBLOCK O_RDONLY O_WRONLY F_SETLK F_WRLCK SEEK_SET);
use Sys::Hostname ();
use Time::HiRes ();
use Jobgate::Commands ();

use constant { DEFAULT_UMASK => 0007, LOCK_SECONDS => 2, LOCK_TURN => 0.05, DAY => 86_400, DAYS_BACK => 7, PIECE => 65_536 };

# path: of the log, to which the day is added; ad: of the submission; lrms: the grid type; id: the LRM's id; mask: umask of the file, in octal digits
sub write {
    my ($path, $ad, $lrms, $id, $mask) = @_;
    my $now  = time;
    my $file = _file($path, $now);
    my $before = umask(defined $mask && $mask =~ /\A[0-7]{3,4}\z/ ? oct $mask : DEFAULT_UMASK);
    my $is_open = sysopen my $log, $file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0666;
    my $why = "$!";
    umask $before;
    die "$file cannot be opened: $why\n" unless $is_open;
    # others write here: what they leave under the name of a day to come must not keep us
    -f $log or die "$file is no file\n";
    _lock($log, $file);
    my $line = line($now, $ad, $lrms, $id);
    my $wrote = syswrite $log, $line;
    die "$file cannot be written: $!\n" unless defined $wrote && $wrote == length $line;
    return;
}

sub _file { my ($path, $time) = @_; my @day = gmtime $time; return sprintf '%s-%04d%02d%02d', $path, $day[5] + 1900, $day[4] + 1, $day[3] }

# Whether the line of this job stands in the log of today or of one of the seven days before: a blahpd that was killed may have written it and not noted that
# it did. What cannot be read has no line.
sub has {
    my ($path, $ad, $lrms, $id) = @_;
    my $now  = time;
    my $line = line($now, $ad, $lrms, $id) =~ s/\A"timestamp=[^"]*"//r;
    for my $day (0 .. DAYS_BACK) {
        sysopen my $log, _file($path, $now - $day * DAY), O_RDONLY | O_NOFOLLOW | O_NONBLOCK or next;
        next unless -f $log;
        my $text = '';
        while (sysread $log, my $piece, PIECE) {
            $text .= $piece;
            return 1 if index($text, $line) >= 0;
            $text = substr $text, -length $line if length $text > length $line;
        }
    }
    return 0;
}

# blahpd itself locks the whole file so, for the time of one line. A program that keeps the lock longer does not write a line, and is not waited for: a line that is
# added by one call stands whole on a local file system without the lock, too.
sub _lock {
    my ($log, $file) = @_;
    my $whole = pack 's s x![l!] l! l! i x![l!]', F_WRLCK, SEEK_SET, 0, 0, 0;
    my $until = Time::HiRes::time() + LOCK_SECONDS;
    until (fcntl $log, F_SETLK, $whole) {
        die "$file cannot be locked: $!\n" unless $!{EAGAIN} || $!{EACCES} || $!{EINTR};
        return if Time::HiRes::time() > $until;
        Time::HiRes::sleep(LOCK_TURN);
    }
    return;
}

# Nothing is escaped in this log: what would end a field, or a line, is left out of values.
sub line {
    my ($now, $ad, $lrms, $id) = @_;
    my @time  = gmtime $now;
    my $queue = $ad->{queue} // '';
    my $ce    = length($ad->{ceid} // '') ? $ad->{ceid} : Sys::Hostname::hostname() . ":2119/blah-$lrms-$queue";
    $ce .= "-$queue" if length $queue && $ce !~ /-\Q$queue\E\z/;
    my @fqans = grep { length } split /[,;]/, $ad->{x509userproxyfqan} // '';
    my $subject = $ad->{x509userproxysubject} // (defined $ad->{x509userproxy} ? subject_of($ad->{x509userproxy}) : '');
    # HTCondor's list begins with the subject
    shift @fqans if @fqans && $fqans[0] eq $subject;
    my @fields = (
        [ timestamp => sprintf '%04d-%02d-%02d %02d:%02d:%02d', $time[5] + 1900, $time[4] + 1, @time[ 3, 2, 1, 0 ] ],
        [ userDN => $subject ], (map { [ userFQAN => $_ ] } @fqans ? @fqans : ''), [ ceID => $ce ],
        [ jobID => (grep { defined && length } @$ad{qw(edg_jobid uniquejobid)})[0] // '' ], [ lrmsID => $id ], [ localUser => $> ],
        (length($ad->{clientjobid} // '') ? [ clientID => $ad->{clientjobid} ] : ()),
    );
    return join(' ', map { '"' . $_->[0] . '=' . ($_->[1] =~ s/[\x00-\x1f\x7f"]+//gr) . '"' } @fields) . "\n";
}

# The name of the person behind a proxy, in the form with slashes: that of the certificate whose name begins those of all proxies that it has signed. Empty
# where openssl cannot tell.
sub subject_of {
    my ($path) = @_;
    open my $file, '<:raw', $path or return '';
    defined CORE::read $file, my $text, 1024 * 1024 or return '';
    my @certificates = $text =~ /(-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----\n)/gs;
    my $commands = Jobgate::Commands->new(seconds => 5);
    my $subject;
    for my $certificate (@certificates[ 0 .. ($#certificates < 9 ? $#certificates : 9) ]) {
        my $done = $commands->run([ qw(openssl x509 -noout -subject -nameopt compat) ], text => $certificate);
        my ($name) = $done->{out} =~ m{\Asubject=\s*(/[^\n]+)} or last;
        last if defined $subject && index($subject, "$name/") != 0;
        $subject = $name;
    }
    return $subject // '';
}

1;
