import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { LogPosition } from './event-log.js';

/** Events that the store looks at in one go. */
const WINDOW = 500;

const { Options } = streams.ReadReq;

/** The streams whose events are read: those whose names begin with one of these, or match an expression. */
type StreamFilter = { prefixes: readonly string[] } | { regex: string };

/**
 * A read of the whole log, in the messages of the protocol: forwards, to its end at that moment. It begins with the event at
 * the position itself.
 * @param from the beginning without it
 */
export function readAllRequest(from: LogPosition | undefined, streamsRead: StreamFilter): streams.ReadReq {
  const all = new Options.AllOptions();
  if (from === undefined) all.setStart(new shared.Empty());
  else {
    const position = new Options.Position();
    position.setCommitPosition(from.commit.toString()).setPreparePosition(from.prepare.toString());
    all.setPosition(position);
  }
  const expression = new Options.FilterOptions.Expression();
  if ('regex' in streamsRead) expression.setRegex(streamsRead.regex);
  else expression.setPrefixList([...streamsRead.prefixes]);
  const filter = new Options.FilterOptions();
  filter.setStreamIdentifier(expression).setMax(WINDOW).setCheckpointintervalmultiplier(1);
  const options = new Options();
  options.setAll(all).setFilter(filter).setCount(Number.MAX_SAFE_INTEGER.toString());
  options.setResolveLinks(false).setUuidOption(new Options.UUIDOption().setString(new shared.Empty()));
  options.setReadDirection(Options.ReadDirection.FORWARDS);
  return new streams.ReadReq().setOptions(options);
}
