# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0

# Private files of jobs: for the account alone, whole or not at all, nowhere else.

use strict;
use warnings;

use FindBin ();
use lib "$FindBin::RealBin/../../main/perl/lib";
use File::Temp ();
use Test::More;
use Jobgate::PrivateFiles ();

my $spool = File::Temp->newdir;
my $files = Jobgate::PrivateFiles->new("$spool");
umask 000;

my $path = $files->keep('0191-ab', 'proxy.pem', "secret\0bytes\n");
is $path, "$spool/private/0191-ab.proxy.pem", 'the path is told';
is sprintf('%o', (stat $path)[2] & 07777), '600', 'the file is for its owner, whatever the umask';
is sprintf('%o', (stat "$spool/private")[2] & 07777), '700', 'and so is the directory';
is slurp($path), "secret\0bytes\n", 'the content is there, byte for byte';

open my $before, '<', $path or die $!;
$files->keep('0191-ab', 'proxy.pem', 'renewed');
is slurp($path), 'renewed', 'a renewal takes its place';
is do { local $/; <$before> }, "secret\0bytes\n", 'and who reads the old one reads it to the end';
is_deeply [ map { s{.*/}{}r } glob "$spool/private/*" ], ['0191-ab.proxy.pem'], 'nothing is left beside it';

symlink '/etc/passwd', "$spool/private/0191-ab.proxy.pem.new" or die $!;
$files->keep('0191-ab', 'proxy.pem', 'again');
is slurp($path), 'again', 'a link in the way is not followed';
ok -s '/etc/passwd', 'what it pointed to is untouched';

for my $bad (['../x', 'proxy.pem'], ['x', '../y'], ['', 'proxy.pem'], ['x', ''], ["x\n", 'proxy.pem'], [undef, 'p']) {
    ok !eval { $files->keep(@$bad, 'c'); 1 }, 'a name that could lead elsewhere is refused';
}
ok !eval { $files->keep('x', 'big', 'x' x (1024 * 1024 + 1)); 1 }, 'too much is refused';
unlike $@, qr/xxxx/, 'without showing it';

$files->drop('0191-ab', 'proxy.pem');
ok !-e $path, 'dropped';
ok eval { $files->drop('0191-ab', 'proxy.pem'); 1 }, 'dropping again does no harm';
ok eval { Jobgate::PrivateFiles->new("$spool/nowhere")->drop('x', 'proxy.pem'); 1 }, 'nor where there never was anything';

my $public = $files->key('0191-ab', 'proxy.key');
like $public, qr/\A-----BEGIN PUBLIC KEY-----\n.*-----END PUBLIC KEY-----\n\z/s, 'a public key is told';
my $key = slurp("$spool/private/0191-ab.proxy.key");
like $key, qr/\A-----BEGIN RSA PRIVATE KEY-----\n/, 'its private half is kept, in the traditional form';
is sprintf('%o', (stat "$spool/private/0191-ab.proxy.key")[2] & 07777), '600', 'for its owner alone';
is $files->key('0191-ab', 'proxy.key'), $public, 'the job keeps its key';
isnt $files->key('0191-ac', 'proxy.key'), $public, 'another job has another one';
$files->keep('0191-ab', 'proxy.pem', "certificate\n", 'proxy.key', "chain\n");
is slurp($path), "certificate\n${key}chain\n", 'the file holds the key between its parts';
ok !eval { $files->keep('0191-ad', 'proxy.pem', 'a', 'proxy.key', 'b'); 1 }, 'without a key no file';
{
    local $ENV{PATH} = "$spool";
    ok !eval { $files->key('0191-ae', 'proxy.key'); 1 }, 'without openssl no key';
    like $@, qr/openssl is not there.*delegation\.jobKeys/, 'which is said';
    open my $fake, '>', "$spool/openssl" or die $!;
    print {$fake} "#!/bin/sh\necho '-----BEGIN secret'; echo 'no entropy' >&2; exit 3\n";
    close $fake;
    chmod 0700, "$spool/openssl";
    ok !eval { $files->key('0191-ae', 'proxy.key'); 1 }, 'nor from one that fails';
    like $@, qr/exit code 3.*no entropy/, 'with its complaint';
    unlike $@, qr/secret/, 'and nothing of what it printed';
}

sub slurp { open my $file, '<', $_[0] or die $!; local $/; return scalar <$file> }

my $next  = File::Temp->newdir;
my $moved = Jobgate::PrivateFiles->new("$next", "$spool");
is $moved->keep('0191-ab', 'proxy.pem', 'moved'), "$spool/private/0191-ab.proxy.pem", 'a file in the former spool stays where its job looks for it';
is $moved->keep('0191-cd', 'proxy.pem', 'new'), "$next/private/0191-cd.proxy.pem", 'a new one is in the new spool';
$moved->drop('0191-ab', 'proxy.pem');
ok !-e "$spool/private/0191-ab.proxy.pem", 'and it is deleted there';

done_testing;
