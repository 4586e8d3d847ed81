/** What of JSON Schema the description of the API uses. */
export interface AnswerSchema {
  type?: string;
  maxItems?: number;
  maxProperties?: number;
  items?: AnswerSchema | false;
  prefixItems?: AnswerSchema[];
  properties?: Record<string, AnswerSchema>;
  additionalProperties?: AnswerSchema | boolean;
  propertyNames?: { enum?: unknown[] };
  anyOf?: AnswerSchema[];
  oneOf?: AnswerSchema[];
  allOf?: AnswerSchema[];
}

/**
 * Where an answer may be of any length: its lists without `maxItems`, its records of any names without `maxProperties`, and
 * values of which nothing is said. A record that says how many it has may have any values.
 * @param at how to name the answer itself
 */
export function unlimitedParts(schema: AnswerSchema, at: string): string[] {
  const { items, additionalProperties: others } = schema;
  const unlimited: string[] = [];
  // A tuple has as many as it names, unless others may follow.
  const isList = schema.type === 'array' && (!schema.prefixItems || Boolean(items));
  if (isList && schema.maxItems === undefined) unlimited.push(`${at}[]`);
  if (isOpen(schema)) unlimited.push(`${at}{}`);
  if (saysNothing(schema)) unlimited.push(`${at}?`);
  return [
    ...unlimited,
    ...(items ? unlimitedParts(items, `${at}[]`) : []),
    ...(typeof others === 'object' && !saysNothing(others) ? unlimitedParts(others, `${at}{}`) : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
      unlimitedParts(part, `${at}.${name}`),
    ),
    ...[
      ...(schema.prefixItems ?? []),
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.allOf ?? []),
    ].flatMap((part) => unlimitedParts(part, at)),
  ];
}

/** Whether it may have names that it does not list, and does not say how many. */
function isOpen({ additionalProperties, propertyNames, maxProperties }: AnswerSchema): boolean {
  const hasOthers = additionalProperties !== undefined && additionalProperties !== false;
  return hasOthers && propertyNames?.enum === undefined && maxProperties === undefined;
}

const saysNothing = (schema: AnswerSchema) => Object.keys(schema).length === 0;
