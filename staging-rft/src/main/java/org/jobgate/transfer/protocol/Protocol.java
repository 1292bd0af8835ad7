// SPDX-FileCopyrightText: 2026 The Jobgate authors
// SPDX-License-Identifier: Apache-2.0

package org.jobgate.transfer.protocol;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A way to reach files. The engine asks it for one attempt at a time, on a virtual thread of its own; calls for different files come at
 * the same time. Retries, back-off, limits and what is kept over a restart are the engine's.
 *
 * <p>To be cancelled, and to have been silent for too long, is an interrupt of the calling thread: the call then ends soon with
 * {@link InterruptedException}, or with a {@link TransferException} and the thread's interrupt flag set.
 *
 * <p>A transfer is made either by one protocol that reaches both ends itself ({@link #moves}: third party, no byte comes through here),
 * or from the source's {@link #open} into the destination's {@link #store}. URLs that end in a slash name directories. Except for
 * {@link #move} the context is the one {@link TransferContext#at at} the end that is asked.
 */
public interface Protocol extends AutoCloseable {

    /** The schemes of the URLs that it is for, in small letters. */
    Set<String> schemes();

    /** Whether nothing can be done without a delegated credential. Jobs that name none are refused then, before they are stored. */
    default boolean needsCredential() {
        return false;
    }

    /** Whether its URLs may name a user, as {@code scheme://user@host/path}. A password is never allowed. */
    default boolean allowsUser() {
        return false;
    }

    /** Whether files are moved with a {@link TransferPassword} where the job has one for them. Jobs that have one for other files are refused. */
    default boolean takesPassword() {
        return false;
    }

    /**
     * Whether the host in its URLs is the server that is connected to, and so is checked against {@code staging.allowPrivateAddresses};
     * false where the site's own configuration names the server.
     */
    default boolean namesServer() {
        return true;
    }

    /**
     * Why options of a transfer cannot be heeded at one of its ends, a clause without a full stop; empty where they can. It is asked
     * before anything is stored: nobody shall hear of it when a job has run. As it is here, servers are known by the names of their
     * hosts, and users by what is delegated.
     */
    default Optional<String> refusal(Map<String, String> options, End end) {
        return Stream.concat(end.options().stream(), Stream.of("userName"))
                .filter(options::containsKey)
                .findFirst()
                .map(option -> "the option " + option + " is for GridFTP servers, and this is none");
    }

    /** Why nothing may be moved from or to a URL, a clause without a full stop; empty where it may. It is asked before anything is stored. */
    default Optional<String> refusal(URI url) {
        return Optional.empty();
    }

    /** Whether {@link #move} is to be used between these two. Only asked for URLs of which at least one is of its schemes. */
    default boolean moves(URI source, URI destination) {
        return false;
    }

    /**
     * Moves a file past the gateway. It goes on from {@link TransferContext#marker}, whose text is this protocol's own, and says new
     * ones.
     *
     * @throws TransferException that says whether another attempt can help
     */
    default void move(URI source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        throw new UnsupportedOperationException("it moves nothing between " + source + " and " + destination);
    }

    /**
     * Opens a file to be read.
     *
     * @param offset where to begin, as far as the protocol and the server can; {@link Source#start} says where it does begin
     * @param version that the bytes before the offset were of, as {@link Source#version} said; if the file is another one now it must
     *     begin at 0. Empty where the offset is 0
     */
    Source open(URI source, long offset, String version, TransferContext context)
            throws TransferException, InterruptedException;

    /**
     * How many bytes of an earlier attempt at this transfer lie at the destination and can be kept; never more than what is there.
     * {@link #store} is given a source that begins there or before.
     */
    default long kept(URI destination, TransferContext context) throws TransferException, InterruptedException {
        return 0;
    }

    /**
     * Writes a file, from the source's start on. Under the destination's name there is either the whole file or what was there before,
     * as far as the protocol can do that. Directories on the way are made.
     *
     * <p>What was written is told by {@link Progress#moved}. Where {@link #kept} can find it again, {@link Progress#mark} is told, as
     * often as {@link Progress#isMarkDue} asks for it, up to which offset it is safe: the marker is that number.
     */
    void store(Source source, URI destination, TransferContext context) throws TransferException, InterruptedException;

    /**
     * Opens a file that somebody still writes, to read what it has by now.
     *
     * @param offset where to begin
     * @return empty where there is no such file yet; where it is shorter than the offset its {@link Source#start} is its end. Its
     *     {@link Source#version} is the same as long as it is the same file, whatever is appended to it
     */
    default Optional<Source> follow(URI source, long offset, TransferContext context)
            throws TransferException, InterruptedException {
        throw new UnsupportedOperationException("nothing follows " + source);
    }

    /** Whether files at a destination can be made longer, with {@link #append} and {@link #size}. */
    default boolean appends() {
        return false;
    }

    /**
     * Makes a file longer under its own name, where others may read it meanwhile. Bytes that an attempt before left behind the source's
     * start are written over; they are the same.
     *
     * @param source whose start is above 0, and whose size is where the file must end at least afterwards
     * @return whether it was done; false where the file is gone or shorter than the source's start, and nothing was written
     */
    default boolean append(Source source, URI destination, TransferContext context)
            throws TransferException, InterruptedException {
        throw new UnsupportedOperationException("nothing can be appended to " + destination);
    }

    /** How many bytes a file has; below 0 where there is none. */
    default long size(URI file, TransferContext context) throws TransferException, InterruptedException {
        throw new UnsupportedOperationException("the size of " + file + " is not known");
    }

    /**
     * Whether a file can be read while another is stored in its place, so that what is read does not change. Where files cannot be made
     * longer, such ones are stored anew with what is appended.
     */
    default boolean replacesWhole() {
        return false;
    }

    /**
     * How many bytes a file has that must not be lost; below 0 where it is certain that there is none. As it is here, what {@link #size}
     * says.
     *
     * @throws TransferException also where it cannot be told
     */
    default long existing(URI file, TransferContext context) throws TransferException, InterruptedException {
        return size(file, context);
    }

    /** Removes what unfinished attempts have left at the destination, under names of their own: there will be no further one. */
    default void abandon(URI destination, TransferContext context) throws TransferException, InterruptedException {}

    /**
     * The checksum of a file. As it is here the file is read; a protocol whose servers compute checksums asks them.
     *
     * @return as {@link ChecksumAlgorithm#normalized} has it
     */
    default String checksum(URI file, ChecksumAlgorithm algorithm, TransferContext context)
            throws TransferException, InterruptedException {
        try (Source source = open(file, 0, "", context)) {
            return algorithm.of(source.bytes(), context.progress());
        } catch (IOException e) {
            throw TransferException.of(e, "reading " + file);
        }
    }

    /** What is in a directory, without what is in directories in it. */
    List<Entry> list(URI directory, TransferContext context) throws TransferException, InterruptedException;

    /** Makes a directory, and those on the way; that it is there is good. */
    void makeDirectory(URI directory, TransferContext context) throws TransferException, InterruptedException;

    /**
     * Deletes a file, or a directory with all that is in it. No symbolic link is followed.
     *
     * @return whether there was anything
     */
    boolean delete(URI file, TransferContext context) throws TransferException, InterruptedException;

    /**
     * Closes the connections that were opened with a credential which was renewed or destroyed; those in use are closed after their use.
     * Returns soon.
     *
     * @param credential what the {@link TransferCredential#id ids} of the credential begin with
     */
    default void forget(String credential) {}

    /** Lets connections go. */
    @Override
    void close();
}
