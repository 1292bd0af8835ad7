// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.container.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jobgate.container.config.ConfigurationException;
import org.jobgate.job.Reason;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Says in the state directory that the store is that of a backup. Written before anything is put in its place, so that no gateway starts on
 * an old store and takes it for the newest.
 *
 * @param takenAt when the backup was taken
 * @param restoredAt when it was put in place
 * @param stage how far the restore has come
 */
public record RestoreMark(Instant takenAt, Instant restoredAt, Stage stage) {

    static final String NAME = "restored.json";

    private static final JsonMapper JSON = new JsonMapper();

    /** How far. */
    public enum Stage {
        /** Files are being put in place. */
        BEGUN,
        /** They are in place; what the LRMs know beyond them is gathered, and no new jobs are taken. */
        GATHERING,
        /** New jobs are taken again. */
        RESUMED
    }

    /**
     * The mark of this state directory, if its store was restored.
     *
     * @throws ConfigurationException if the restore was not finished, or the mark cannot be read
     */
    public static Optional<RestoreMark> of(Path stateDirectory) {
        Path file = stateDirectory.resolve(NAME);
        RestoreMark mark;
        try {
            JsonNode body = JSON.readTree(Files.readAllBytes(file));
            mark = new RestoreMark(
                    Instant.parse(body.path("takenAt").asString("")),
                    Instant.parse(body.path("restoredAt").asString("")),
                    Stage.valueOf(body.path("stage").asString("")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException | JacksonException | DateTimeException | IllegalArgumentException e) {
            throw new ConfigurationException(List.of(file + " cannot be read: " + Reason.of(e)
                    + "; without it nobody knows which jobs the store lacks: restore the backup once more"));
        }
        if (mark.stage() == Stage.BEGUN) {
            throw new ConfigurationException(List.of(
                    "a restore into " + stateDirectory + " was not finished; do it once more with jobgate restore"));
        }
        return Optional.of(mark);
    }

    /** @throws IOException if it cannot be written */
    void write(Path stateDirectory) throws IOException {
        PrivateFile.write(
                stateDirectory.resolve(NAME),
                JSON.writeValueAsBytes(Map.of(
                        "takenAt", takenAt.toString(),
                        "restoredAt", restoredAt.toString(),
                        "stage", stage.name())));
    }

    /** Remembers over the next starts that new jobs are taken again. */
    public RestoreMark resumed(Path stateDirectory) throws IOException {
        RestoreMark resumed = new RestoreMark(takenAt, restoredAt, Stage.RESUMED);
        resumed.write(stateDirectory);
        return resumed;
    }
}
