// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The room with an LRM that the cases of the contract run in. A class for each LRM opens it. */
abstract class LrmContractBase {

    ContractRoom room;

    abstract ContractRoom openRoom() throws IOException;

    @BeforeEach
    void open() throws IOException {
        room = openRoom();
    }

    @AfterEach
    void close() throws IOException {
        if (room != null) {
            room.close();
        }
    }
}
