# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# Files of a job as its account reads and removes them, and everything hostile that may lie in their place.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/../../main/perl/lib";
use Cwd ();
use File::Temp ();
use Jobgate::Files ();
use POSIX ();
use Test::More;

my $outside = File::Temp->newdir;
my $job     = File::Temp->newdir;
my $files   = Jobgate::Files->new;

sub write_file {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!";
    binmode $file;
    print {$file} $text;
    close $file or die "$path: $!";
    return $path;
}

sub named { my ($path, $offset, $length) = @_; return $files->read({ place => { directory => "$job", named => $path }, offset => $offset // 0, length => $length // 1000 }) }
sub below { return $files->read({ place => { directory => "$job", below => [@_] }, offset => 0, length => 1000 }) }

write_file("$outside/secret", 'secret');
my $every_byte = join '', map { chr } 0 .. 255;

subtest 'a part comes with the size and the name of the whole' => sub {
    write_file("$job/out", $every_byte);
    my $answer = named("$job/out", 250, 100);
    is $answer->{bytes}, join('', map { chr } 250 .. 255);
    is $answer->{size}, 256;
    like $answer->{file}, qr/\A\d+\.\d+\z/;
    is named('out', 0, 3)->{bytes}, "\0\1\2", 'a relative name is one of the directory';
    is named('out', 256)->{bytes}, '', 'nothing is behind the end';
    is named('out', 10_000)->{size}, 256, 'and further behind only the size is told';
    mkdir "$job/$_" or die for 'one', 'one/two';
    write_file("$job/one/two/deep", 'deep');
    is below('one', 'two', 'deep')->{bytes}, 'deep', 'a way of several names is gone';
    is Cwd::getcwd(), '/', 'no directory is kept busy';
};

subtest 'another file in its place is seen to be another' => sub {
    write_file("$job/a", 'one');
    my $first = named('a')->{file};
    write_file("$job/b", 'two');
    rename "$job/b", "$job/a" or die;
    isnt named('a')->{file}, $first;
};

subtest 'a sparse file is read as zeros, far behind 4 GiB too' => sub {
    open my $file, '>', "$job/sparse" or die;
    truncate $file, 6 * 1024**4 or die;
    close $file;
    my $answer = named('sparse', 5 * 1024**4, 10_000_000);
    is length $answer->{bytes}, 1024 * 1024, 'in bounded parts';
    is $answer->{size}, 6 * 1024**4;
    unlike $answer->{bytes}, qr/[^\0]/;
};

subtest 'no symbolic link is followed' => sub {
    symlink "$outside/secret", "$job/link"   or die;
    symlink "$outside",        "$job/linked" or die;
    symlink 'out',             "$job/inner"  or die;
    symlink 'circle',          "$job/circle" or die;
    for my $answer (named('link'), named("$job/inner"), below('link'), below('inner'), below('linked', 'secret'), below('circle', 'x')) {
        is $answer->{refused}, 'NOT_A_FILE';
        like $answer->{why}, qr/symbolic link/;
        ok !exists $answer->{bytes};
    }
    is named("$job/linked/secret")->{bytes}, 'secret', 'but the directory that the owner himself named may lie behind one';
};

subtest 'a way cannot leave the directory' => sub {
    for my $names ([ '..', 'x' ], ['..'], ['.'], [''], [ 'a/../../x' ], ["a\0b"], [], [ ('d') x 65 ]) {
        ok !eval { below(@$names); 1 }, join '|', map { s/\0/NUL/r } @$names;
    }
};

subtest 'what is no regular file is neither waited for nor opened' => sub {
    POSIX::mkfifo("$job/fifo", 0600) or die;
    mkdir "$job/directory" or die;
    local $SIG{ALRM} = sub { die "it waits\n" };
    alarm 60;
    for my $answer (named('fifo'), below('fifo'), named('directory'), below('directory'), named('/dev/zero'), named("$job/"), named("$job/..")) {
        is $answer->{refused}, 'NOT_A_FILE';
    }
    is below('fifo', 'x')->{refused}, 'NOT_FOUND';
    alarm 0;
};

subtest 'what is not there, or not for us, is told so' => sub {
    is named('nothing')->{refused}, 'NOT_FOUND';
    is below('no', 'way')->{refused}, 'NOT_FOUND';
    is named('x' x 5000)->{refused}, 'NOT_FOUND';
    is $files->read({ place => { directory => "$job/none", below => ['x'] }, offset => 0, length => 1 })->{refused}, 'NOT_FOUND';
    like named("new\nline")->{why}, qr/\AThere is no file \S+new\?line\.\z/, 'without control characters';
    SKIP: {
        skip 'root may read everything', 1 if $> == 0;
        write_file("$job/closed", 'x');
        chmod 0, "$job/closed";
        is named('closed')->{refused}, 'NOT_PERMITTED';
    }
};

subtest 'only regular files are removed, and one that is gone is no error' => sub {
    my $remove = sub { $files->remove({ place => { directory => "$job", @_ } }) };
    write_file("$job/old", 'x');
    is_deeply $remove->(named => 'old'), { removed => 1 };
    ok !-e "$job/old";
    is_deeply $remove->(named => 'old'), { removed => 0 };
    is $remove->(below => ['link'])->{refused}, 'NOT_A_FILE';
    ok -l "$job/link", 'the link is still there';
    is $remove->(below => [ 'linked', 'secret' ])->{refused}, 'NOT_A_FILE';
    ok -e "$outside/secret", 'and so is what it leads to';
    is $remove->(below => ['directory'])->{refused}, 'NOT_A_FILE';
    is $remove->(named => 'fifo')->{refused}, 'NOT_A_FILE';
};

subtest 'a request that is none is an error' => sub {
    for my $bad ({}, { offset => -1, length => 1 }, { offset => 0, length => '1x' }, { offset => '9' x 19, length => 1 }) {
        ok !eval { $files->read({ place => { named => '/x' }, %$bad }); 1 };
    }
    ok !eval { $files->read({ place => {}, offset => 0, length => 1 }); 1 };
};

done_testing;
