# SPDX-FileCopyrightText: 2026 The Jobgate authors
# SPDX-License-Identifier: Apache-2.0
"""Other real parts: Debian's squid between the node and the application, R and PARI/GP as applications behind FUSE and by copies."""

import os
import subprocess
import unittest

from its import RealRoom, free_port
from room import Server

RASTERS = """# a small raster script over layers, as in the published benchmark: mean and variance of cells over layers, written as a grid
arguments <- commandArgs(trailingOnly = TRUE)
source <- arguments[1]; target <- arguments[2]
layers <- lapply(sort(list.files(source, pattern = "^layer.*txt$", full.names = TRUE)), function(f) as.matrix(read.table(f)))
stopifnot(length(layers) == 4)
stack <- simplify2array(layers)
result <- apply(stack, c(1, 2), mean)
write.table(round(result, 6), file.path(target, "mean.txt"), row.names = FALSE, col.names = FALSE)
cat("cells", length(result), "sum", sum(result), "\\n")
"""


class SquidTest(RealRoom):
    needs = ("squid", "curl")

    def setUp(self):
        super().setUp()
        self.port = free_port()
        os.mkdir(self.path("squid"))
        os.chmod(self.path("squid"), 0o777)
        configuration = self.file(
            "squid.conf",
            f"http_port 127.0.0.1:{self.port}\nhttp_access allow all\ncache_mem 8 MB\npid_filename none\n"
            # squid's own words cannot have blanks in a path
            "access_log none\ncache_log /dev/null\ncoredump_dir /tmp\nshutdown_lifetime 0 seconds\nvisible_hostname squid.test\nrefresh_pattern . 60 100% 60\n",
        )
        squid = subprocess.Popen(["squid", "-N", "-f", configuration], env=dict(os.environ, PATH="/usr/sbin:/usr/bin:/bin"), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(squid.wait)
        self.addCleanup(squid.kill)

        def answers():
            self.assertIsNone(squid.poll(), "squid ended")
            return subprocess.call(["curl", "-s", "-o", "/dev/null", f"http://127.0.0.1:{self.port}/"], stdout=subprocess.DEVNULL) == 0

        self.wait_until("squid answers", answers, 240)

    def test_the_application_comes_through_squid_and_from_its_cache_the_second_time(self):
        path, checksum = self.archive(app__run__sh="#!/bin/sh\necho \"$http_proxy\"\n")
        with open(path, "rb") as file:
            body = file.read()
        origin = Server.of(self, app=body)
        wrapper = self.make(f"[Application]\nscript = ./app/run/sh\nlocation = {origin.url}/app\nlocation_sha256 = {checksum}\nhttp_proxy = 127.0.0.1:{self.port}\n")
        for _ in range(3):
            done = self.run_wrapper(wrapper)
            self.assertEqual((0, f"http://127.0.0.1:{self.port}\n"), (done.returncode, done.out), done.err)
        self.assertEqual(["/app"], origin.asked, "squid answered the second and third itself")

    def test_what_squid_cannot_reach_is_fetched_past_it(self):
        path, _ = self.archive(app__run__sh="#!/bin/sh\necho ran\n")
        with open(path, "rb") as file:
            origin = Server.of(self, app=file.read())
        wrapper = self.make(f"[Application]\nscript = ./app/run/sh\nlocation = {origin.url}/app\nhttp_proxy = 127.0.0.1:{free_port()}\n")
        done = self.run_wrapper(wrapper)
        self.assertEqual("ran\n", done.out, done.err)
        self.assertIn("try 2 of 4", done.err)
        nowhere = self.run_wrapper(self.make(f"[Application]\nscript = ./app/run/sh\nlocation = http://127.0.0.1:{free_port()}/app\nhttp_proxy = 127.0.0.1:{self.port}\n"))
        self.assertEqual(202, nowhere.returncode, "squid's page about the error is no application: " + nowhere.err)


class ApplicationTest(RealRoom):
    def setUp(self):
        super().setUp()
        self.chirp()

    def layers(self):
        for layer in range(4):
            self.file(f"export/in/layer{layer}.txt", "\n".join(" ".join(str((row * column + layer) % 17) for column in range(60)) for row in range(60)) + "\n")
        self.file("export/in/rasters.R", RASTERS)

    def rasters(self, access):
        self.layers()
        done = self.run_wrapper(
            self.make("[Application]\nscript = /bin/sh\narguments = -c 'Rscript \"$CHIRP_MOUNT/in/rasters.R\" \"$CHIRP_MOUNT/in\" \"$CHIRP_MOUNT/out\"'\n" + self.directories(access))
        )
        self.assertEqual(0, done.returncode, done.err)
        expected = [[sum((row * column + layer) % 17 for layer in range(4)) / 4 for column in range(60)] for row in range(60)]
        got = [[float(word) for word in line.split()] for line in self.read("export", "out", "mean.txt").splitlines()]
        self.assertEqual(expected, got)
        self.assertIn(f"cells 3600 sum {sum(map(sum, expected)):.6g}"[:20], done.out)

    def test_r_over_layers_through_fuse(self):
        self.need("Rscript")
        self.with_fuse()
        self.rasters("access = fuse\n")

    def test_r_over_layers_by_copies(self):
        self.need("Rscript")
        self.rasters("access = copy\nfetch = in\n")

    def test_pari_factors_what_it_reads(self):
        self.need("gp")
        self.with_fuse()
        self.file("export/in/n", "170141183460469231731687303715884105727 * 2305843009213693951\n")
        done = self.run_wrapper(
            self.make(
                "[Application]\nscript = /bin/sh\narguments = -c 'echo \"print(factor($(cat \"$CHIRP_MOUNT/in/n\")))\" | gp -q -f >\"$CHIRP_MOUNT/out/factors\"'\n" + self.directories("access = fuse\n")
            )
        )
        self.assertEqual(0, done.returncode, done.err)
        self.assertEqual("[2305843009213693951, 1; 170141183460469231731687303715884105727, 1]\n", self.read("export", "out", "factors"))


if __name__ == "__main__":
    unittest.main()
