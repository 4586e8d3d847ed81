import { Command, Query } from '@nestjs/cqrs';

/** Nest's `Command` or `Query` with the fields that it is made of: `class EndVisit extends CommandWith<boolean, { readerId: string }> {}`. */
function withFields(base: typeof Query): unknown {
  return class extends base<unknown> {
    constructor(fields: object) {
      super();
      Object.assign(this, fields);
    }
  };
}

export const CommandWith = withFields(Command) as new <Answer, Fields extends object>(
  fields: Fields,
) => Command<Answer> & Readonly<Fields>;

export const QueryWith = withFields(Query) as new <Answer, Fields extends object>(
  fields: Fields,
) => Query<Answer> & Readonly<Fields>;
