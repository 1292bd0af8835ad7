# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# Files in a tree that the site exports, with everything hostile in the way.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/../../main/perl/lib";
use Cwd ();
use File::Temp ();
use Jobgate::FileTree ();
use Jobgate::FileWrites ();
use Test::More;

my $outside = File::Temp->newdir;
my $tree    = File::Temp->newdir;
my $writes  = Jobgate::FileWrites->new;
my $reads   = Jobgate::Files->new;
umask 022;

sub place { return { directory => "$tree", tree => [@_] } }
sub look { return Jobgate::FileTree::stat({ place => place(@_) }) }
sub list {
    my ($place, %more) = @_;
    my $answer = Jobgate::FileTree::list({ place => $place, limit => 1000, %more });
    my @fields = split /\0/, $answer->{packed} // '', -1;
    die 'not seven fields each' if @fields % 7;
    my @entries;
    while (my @entry = splice @fields, 0, 7) {
        push @entries, { map { $_ => shift @entry } qw(name st_mode size modified owner group target) };
    }
    return { %$answer, entries => \@entries };
}
sub view { my ($limit, @names) = @_; return Jobgate::FileTree::view({ place => place(@names), limit => $limit }) }
sub names { my ($answer) = @_; return $answer->{refused} // join ' ', map { $_->{name} } @{ $answer->{entries} } }
sub bytes { my $answer = $reads->read({ place => place(@_), offset => 0, length => 100 }); return $answer->{refused} // $answer->{bytes} }
sub put { my ($bytes, @names) = @_; return $writes->put({ place => place(@names), part => 'p', offset => 0, bytes => $bytes }) }
sub finish { my ($size, $new, @names) = @_; return $writes->finish({ place => place(@names), part => 'p', size => $size, new => $new }) }
sub make { my ($parents, @names) = @_; my $answer = Jobgate::FileTree::make({ place => place(@names), parents => $parents }); return $answer->{refused} // $answer->{made} }
sub mode { my ($mode, @names) = @_; return Jobgate::FileTree::chmod({ place => place(@names), mode => $mode })->{refused} // 'ok' }
sub delete_it { my ($empty, @names) = @_; my $answer = $writes->delete({ place => place(@names), empty => $empty }); return $answer->{refused} // $answer->{removed} }

sub rename_it {
    my ($replace, $from, $to) = @_;
    my $answer = Jobgate::FileTree::rename({ from => place(@$from), to => place(@$to), replace => $replace });
    return $answer->{refused} // 'ok';
}

sub write_file {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!";
    print {$file} $text;
    close $file or die "$path: $!";
    return;
}

sub content {
    my ($path) = @_;
    open my $file, '<', $path or return undef;
    local $/;
    return scalar <$file>;
}

subtest 'what there is' => sub {
    mkdir "$tree/data" or die;
    write_file("$tree/data/f", 'hello');
    chmod 0640, "$tree/data/f" or die;
    utime 1000, 1_700_000_000, "$tree/data/f" or die;
    symlink 'f', "$tree/data/l" or die;
    my $entry = look(qw(data f))->{entry};
    is_deeply $entry,
        { name => 'f', kind => 'file', size => 5, modified => 1_700_000_000, mode => 0640, owner => scalar getpwuid $>, group => scalar getgrgid((stat "$tree/data/f")[5]) };
    is look(qw(data l))->{entry}{kind}, 'link';
    is look(qw(data l))->{entry}{target}, 'f';
    is look()->{entry}{kind}, 'directory', 'the top';
    is look('none')->{refused}, 'NOT_FOUND';
    is look(qw(data f x))->{refused}, 'NOT_A_FILE';
    is names(list(place('data'))), 'f l';
    is names(list(place())), 'data';
    is names(list(place(qw(data f)))), 'NOT_A_DIRECTORY';
    is_deeply view(9, qw(data f)), look(qw(data f)), 'a file, looked at with what would be in it';
    is_deeply view(9, qw(data l)), look(qw(data l)), 'a link is not followed';
    my $seen = view(9, 'data');
    is_deeply $seen->{entry}, look('data')->{entry};
    is $seen->{packed}, Jobgate::FileTree::list({ place => place('data'), limit => 9 })->{packed}, 'a directory, with what is in it';
    is $seen->{more}, 0;
    is view(1, 'data')->{more}, 1;
    is((split /\0/, view(1, 'data')->{packed}, -1)[0], 'f', 'as many as are asked for');
    is view(9)->{entry}{kind}, 'directory', 'the top';
    is view(9, 'none')->{refused}, 'NOT_FOUND';
    is bytes(qw(data f)), 'hello';
    is bytes('data'), 'NOT_A_FILE';
    is bytes(), 'NOT_A_FILE';
    is Cwd::getcwd(), '/';
};

subtest 'own links are followed in the tree, and never out of it' => sub {
    write_file("$outside/secret", 'secret');
    -d or mkdir or die for "$tree/deep", "$tree/deep/er";
    my %links = (
        up => '../data', straight => 'data', absolute => "$tree/data", 'deep/back' => '../data', 'deep/er/far' => '../../data/../data/.',
        out => "$outside", 'deep/out' => '../..', sly => "$tree/../" . ($outside =~ s{.*/}{}r), root => '/', loop => 'loop', two => 'straight',
        file => 'data/f', 'deep/sly' => "../deep/../../" . ($outside =~ s{.*/}{}r), other => "$tree-not",
    );
    symlink $links{$_}, "$tree/$_" or die "$_: $!" for keys %links;
    is bytes(split m{/}), 'hello', $_ for qw(straight/f absolute/f deep/back/f deep/er/far/f two/f file straight/l);
    is bytes(split m{/}), 'NOT_PERMITTED', $_ for qw(up/f out/secret sly/secret deep/sly/secret root/etc/passwd other/x deep/out/x);
    is bytes(qw(loop x)), 'FAILED', 'a link to itself has an end';
    is names(list(place('out'))), 'NOT_PERMITTED';
    is names(list(place('deep', 'out'))), 'NOT_PERMITTED';
    is names(list(place('straight'))), 'f l';
    is put('x', qw(out new))->{refused}, 'NOT_PERMITTED';
    is make(1, qw(out a b)), 'NOT_PERMITTED';
    is rename_it(1, ['file'], [qw(out file)]), 'NOT_PERMITTED';
    is rename_it(1, [qw(out secret)], ['taken']), 'NOT_PERMITTED';
    is mode(0777, qw(out secret)), 'NOT_PERMITTED';
    is delete_it(0, qw(out secret)), 'NOT_PERMITTED';
    is content("$outside/secret"), 'secret';
    is look('out')->{entry}{kind}, 'link', 'one can be looked at';
    is delete_it(0, 'out'), 1, 'and removed';
    is content("$outside/secret"), 'secret', 'without what it leads to';
    is mode(0777, 'file'), 'NOT_A_FILE', 'nor is one changed, though it leads to an own file';
    is put('new', 'file')->{size}, 3;
    is finish(3, 0, 'file')->{refused}, 'NOT_A_FILE', 'nor replaced by what is written';
    $writes->drop({ place => place('file'), part => 'p' });
    unlink "$tree/$_" for keys %links;
    is Cwd::getcwd(), '/';
};

subtest 'links of others' => sub {
    plan skip_all => 'only root can make them' if $>;
    symlink 'data', "$tree/theirs" or die;
    system('chown', '-h', 'nobody', "$tree/theirs") == 0 or die;
    is bytes(qw(theirs f)), 'NOT_PERMITTED';
    is put('x', qw(theirs new))->{refused}, 'NOT_PERMITTED';
    is look('theirs')->{entry}{owner}, 'nobody';
    my $lure = File::Temp->newdir;
    symlink "$tree", "$lure/top" or die;
    system('chown', '-h', 'nobody', "$lure/top") == 0 or die;
    is(Jobgate::FileTree::stat({ place => { directory => "$lure/top", tree => ['data'] } })->{refused}, 'NOT_PERMITTED', 'in the way to the top');
    unlink "$tree/theirs" or die;
};

subtest 'the top may lie behind links' => sub {
    my $room = File::Temp->newdir;
    symlink "$tree", "$room/top" or die;
    symlink "$room/top/data", "$tree/by-link" or die;
    symlink "$tree/data", "$tree/by-place" or die;
    my $at = sub { $reads->read({ place => { directory => "$room/top", tree => [@_] }, offset => 0, length => 9 })->{bytes} };
    is $at->(qw(data f)), 'hello';
    is $at->(qw(by-link f)), 'hello', 'an absolute link may name it as the site does';
    is $at->(qw(by-place f)), 'hello', 'or by its true place';
    unlink "$tree/by-link", "$tree/by-place";
};

subtest 'names exchanged for links meanwhile' => sub {
    mkdir or die for "$tree/swap", "$tree/swap/d";
    write_file("$tree/swap/d/f", 'mine');
    write_file("$outside/f", 'secret');
    chmod 0600, "$outside/f" or die;
    defined(my $child = fork) or die;
    if (!$child) {
        while (1) {
            rename "$tree/swap/d", "$tree/swap/aside";
            symlink "$outside", "$tree/swap/d";
            unlink "$tree/swap/d";
            rename "$tree/swap/aside", "$tree/swap/d";
            select undef, undef, undef, rand 0.002;
        }
    }
    my (%seen, %kinds);
    my ($end, $latest) = (time + 2, time + 60);
    while (time < $end || time < $latest && ($seen{mine} // 0) <= 10) {
        $seen{ bytes(qw(swap d f)) }++;
        $kinds{ mode(0644, qw(swap d f)) }++;
        put('over', qw(swap d g));
        finish(4, 0, qw(swap d g));
        rename_it(1, [qw(swap d g)], [qw(swap d h)]);
        delete_it(0, qw(swap d h));
        make(0, qw(swap d sub));
    }
    kill 'KILL', $child;
    waitpid $child, 0;
    ok !$seen{secret}, 'nothing outside was read';
    ok $seen{mine} > 10, 'the file was read when it was there';
    is join(' ', sort map { s{.*/}{}r } glob "$outside/*"), 'f secret', 'nothing was made outside';
    is content("$outside/f"), 'secret';
    is((stat "$outside/f")[2] & 0777, 0600, 'no mode was changed outside');
    unlink "$tree/swap/d" if -l "$tree/swap/d";
    is delete_it(0, 'swap'), 1;
};

subtest 'directories are made and removed' => sub {
    is make(0, qw(made a)), 'NOT_FOUND', 'without those on the way';
    is make(1, qw(made a b)), 1;
    is make(1, qw(made a b)), 0;
    is make(0, qw(made a)), 0;
    is make(0, qw(data f)), 'EXISTS';
    is make(0, qw(data l)), 'EXISTS';
    is make(1, qw(data f x)), 'NOT_A_FILE';
    is make(1), 'NOT_PERMITTED', 'the top';
    is delete_it(1, 'made'), 'NOT_EMPTY';
    is delete_it(1, qw(made a b)), 1;
    is delete_it(1, qw(made a b)), 0;
    is delete_it(0, 'made'), 1;
    ok !-e "$tree/made";
    is delete_it(0), 'NOT_PERMITTED';
    ok -d "$tree/data";
};

subtest 'renames' => sub {
    write_file("$tree/one", 'one');
    write_file("$tree/two", 'two');
    is rename_it(0, ['one'], ['two']), 'EXISTS';
    is rename_it(0, ['one'], [qw(data moved)]), 'ok';
    is bytes(qw(data moved)), 'one';
    is rename_it(1, ['two'], [qw(data moved)]), 'ok';
    is bytes(qw(data moved)), 'two';
    is rename_it(1, [qw(data moved)], ['data']), 'EXISTS', 'a directory is not replaced';
    is rename_it(1, ['data'], [qw(data in)]), 'NOT_PERMITTED', 'nor moved into itself';
    is rename_it(0, ['none'], ['new']), 'NOT_FOUND';
    is rename_it(0, [qw(data moved)], [qw(none new)]), 'NOT_FOUND';
    is rename_it(0, [], ['new']), 'NOT_PERMITTED';
    is rename_it(1, ['data'], []), 'NOT_PERMITTED';
    symlink "$outside/none", "$tree/dangling" or die;
    is rename_it(0, [qw(data moved)], ['dangling']), 'EXISTS', 'a link that leads nowhere is something';
    is rename_it(0, ['dangling'], [qw(data dangling)]), 'ok', 'a link is renamed itself';
    is readlink "$tree/data/dangling", "$outside/none";
    is rename_it(0, ['data'], ['others']), 'ok', 'a directory';
    is rename_it(0, ['others'], ['data']), 'ok';
    is delete_it(0, 'data', $_), 1 for qw(dangling moved);
    my $shm = -d '/dev/shm' && (stat '/dev/shm')[0] != (stat "$tree")[0] ? File::Temp->newdir(DIR => '/dev/shm') : undef;
    SKIP: {
        skip 'there is no second file system here', 1 unless $shm;
        my $answer = Jobgate::FileTree::rename({ from => place(qw(data f)), to => { directory => "$shm", tree => ['f'] }, replace => 1 });
        like $answer->{why}, qr/another file system/;
    }
};

subtest 'permissions' => sub {
    is mode(0600, qw(data f)), 'ok';
    is look(qw(data f))->{entry}{mode}, 0600;
    is mode(0, qw(data f)), 'ok';
    is mode(0644, qw(data f)), 'ok', 'also of what could not be read';
    chmod 02755, "$tree/data" or die;
    is mode(0775, 'data'), 'ok';
    is look('data')->{entry}{mode}, 02775, 'a directory keeps its set-group-id bit';
    chmod 04755, "$tree/data/f" or die;
    is mode(0755, qw(data f)), 'ok';
    is look(qw(data f))->{entry}{mode}, 0755, 'a file does not keep set-user-id';
    is mode(0644, qw(data l)), 'NOT_A_FILE';
    is mode(0644), 'NOT_PERMITTED';
    is mode(0644, 'none'), 'NOT_FOUND';
    system('mkfifo', "$tree/fifo") == 0 or die;
    is mode(0644, 'fifo'), 'NOT_A_FILE';
    is bytes('fifo'), 'NOT_A_FILE', 'nor does a pipe block anybody';
    eval { mode(04755, qw(data f)) };
    like $@, qr/not a mode/;
};

subtest 'writes' => sub {
    is put('x', qw(none x))->{refused}, 'NOT_FOUND', 'no directory is made on the way';
    put('part', qw(data w));
    is $writes->kept({ place => place(qw(data w)), part => 'p' })->{size}, 4;
    is $writes->put({ place => place(qw(data w)), part => 'p', offset => 4, bytes => 'ial' })->{size}, 7;
    is_deeply finish(7, 1, qw(data w)), {};
    is bytes(qw(data w)), 'partial';
    mode(0751, qw(data w));
    put('two', qw(data w));
    is finish(3, 1, qw(data w))->{refused}, 'EXISTS';
    is_deeply finish(3, 0, qw(data w)), {};
    is look(qw(data w))->{entry}{mode}, 0751, 'the permissions stay';
    put('x', 'fifo');
    is finish(1, 0, 'fifo')->{refused}, 'NOT_A_FILE', 'a pipe is not replaced';
    is_deeply $writes->drop({ place => place('fifo'), part => 'p' }), {};
    put('x', 'data');
    is finish(1, 0, 'data')->{refused}, 'NOT_A_FILE';
    $writes->drop({ place => place('data'), part => 'p' });
    is_deeply put('x')->{refused}, 'NOT_PERMITTED';
};

subtest 'odd names' => sub {
    for my $name ("a\nb", '..a', '-rf', "\xff\xfe", '%2e%2e', 'a b', "\e[31m") {
        put('odd', $name);
        is_deeply finish(3, 0, $name), {};
        is bytes($name), 'odd';
        is look($name)->{entry}{name}, $name;
        ok scalar(grep { $_->{name} eq $name } @{ list(place())->{entries} });
        is rename_it(0, [$name], ["$name."]), 'ok';
        is delete_it(1, "$name."), 1;
    }
    for my $name ('.', '..', '', 'a/b', "a\0b") {
        for my $work (\&look, \&bytes, sub { list(place(@_)) }, sub { make(1, @_) }, sub { mode(0600, @_) }, sub { delete_it(0, @_) }, sub { rename_it(1, [@_], ['x']) },
            sub { rename_it(1, ['x'], [@_]) }, sub { put('x', @_) })
        {
            eval { $work->($name) };
            like $@, qr/not a name/;
            eval { $work->('data', $name, 'x') };
            like $@, qr/not a name/;
        }
    }
    eval { look(map { "d$_" } 1 .. 100) };
    like $@, qr/too many names/;
    unlike look("no\nfile")->{why}, qr/\n/;
};

subtest 'deep trees' => sub {
    my @way = map { "d$_" } 1 .. 63;
    is make(1, @way), 1;
    put('deep', @way, 'f');
    is_deeply finish(4, 0, @way, 'f'), {};
    is bytes(@way, 'f'), 'deep';
    symlink join('/', @way), "$tree/s0" or die;
    symlink "s0/../" x 10 . 's0', "$tree/s1" or die;
    is bytes('s1', 'f'), 'NOT_FOUND', 'a link back and forth is gone as the kernel goes it';
    symlink join('/', map { "../d$_/d" . ($_ + 1) } 1) , "$tree/s2" or die;
    is bytes('s2', 'f'), 'NOT_PERMITTED';
    my $far = join '/', map { 'd1/..' } 1 .. 400;
    symlink "$far/data/f", "$tree/s3" or die;
    is bytes('s3'), 'hello', 'and a long one with a short way';
    chdir "$tree/" . join '/', @way or die;
    for (1 .. 300) { mkdir 'd' or die; chdir 'd' or die }
    chdir '/' or die;
    symlink join('/', @way, ('d') x 250), "$tree/s4" or die;
    my $answer = $reads->read({ place => place('s4', 'f'), offset => 0, length => 1 });
    like $answer->{why}, qr/more than 256 directories/, 'a way has an end';
    like $writes->delete({ place => place('d1') })->{why}, qr/deeper than 128/;
    system('rm', '-rf', "$tree/d1") == 0 or die;
    unlink map { "$tree/s$_" } 0 .. 4;
};

subtest 'a huge directory' => sub {
    mkdir "$tree/huge" or die;
    chdir "$tree/huge" or die;
    for my $n (1 .. 21_000) { open my $file, '>', sprintf 'f%05d', $n * 7919 % 21_000 or die }
    chdir '/' or die;
    my ($after, $count, $pages, @all) = ('', 0, 0);
    while (1) {
        my $page = list(place('huge'), after => $after);
        push @all, map { $_->{name} } @{ $page->{entries} };
        $pages++;
        $after = $all[-1];
        last unless $page->{more};
    }
    is scalar @all, 21_000;
    is $pages, 21;
    is "@all", join(' ', sort @all), 'in order';
    is scalar @{ list(place('huge'), limit => 3)->{entries} }, 3;
    # names that follow a page are kept, and what changes meanwhile is seen all the same
    utime time - 100, time - 100, "$tree/huge" or die;
    my $reads_of_names = 0;
    {
        no warnings 'redefine';
        my $read = \&Jobgate::FileListing::_read;
        local *Jobgate::FileListing::_read = sub { $reads_of_names++; return $read->(@_) };
        my $last = '';
        for (1 .. 21) { $last = list(place('huge'), after => $last)->{entries}[-1]{name} }
        is $last, 'f20999';
    }
    is $reads_of_names, 2, 'of a directory that stays as it is 20,000 names are read at once';
    is names(list(place('huge'), after => 'f00010', limit => 2)), 'f00011 f00012';
    is names(list(place('huge'), after => 'f00012', limit => 2)), 'f00013 f00014', 'a next page';
    unlink "$tree/huge/f00015" or die;
    open my $new, '>', "$tree/huge/f00014-new" or die;
    is names(list(place('huge'), after => 'f00014', limit => 2)), 'f00014-new f00016', 'after a change';
    is names(list(place('huge'), after => 'f20998', limit => 2)), 'f20999', 'the last page';
    unlink "$tree/huge/f00014-new" or die;
    is scalar @{ list(place('huge'), limit => 5000)->{entries} }, 1000;
    my $more;
    my $rounds = 0;
    do { $more = $writes->delete({ place => place('huge') })->{more}; $rounds++ } while $more;
    ok !-e "$tree/huge";
    ok $rounds > 10, 'a removal of many leaves others their turn';
};

done_testing;
