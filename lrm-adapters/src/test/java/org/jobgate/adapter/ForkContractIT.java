// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.adapter;

import java.io.IOException;

/** Fork keeps the contract. */
class ForkContractIT extends LrmContract {

    @Override
    ContractRoom openRoom() throws IOException {
        return new ContractRoom(System.getProperty("user.name"), LrmSettings.defaults("Fork", "fork", LrmRoom.PERL));
    }
}
