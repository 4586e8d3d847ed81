import { useEffect, useRef, useState, type FormEvent } from 'react';
import { UNREACHABLE } from '../../lib/api/request-error.js';
import { notify } from '../../lib/notify.js';

type Typed<Name extends string> = Readonly<Record<Name, string>>;
type Messages<Name extends string> = Partial<Record<Name, readonly string[] | undefined>>;

/** What is to be sent, or what is wrong with which field. */
export interface Checked<Name extends string, Body> {
  body?: Body;
  errors: Messages<Name>;
}
type Rules<Name extends string, Body> = (typed: Typed<Name>) => Checked<Name, Body>;

/** Rules that are loaded when a form needs them. */
export interface LateRules<Name extends string, Body> {
  /** Undefined while they are not there. */
  now: () => Rules<Name, Body> | undefined;
  load: () => Promise<Rules<Name, Body>>;
}

export function lateRules<Name extends string, Body>(
  fetchRules: () => Promise<Rules<Name, Body>>,
): LateRules<Name, Body> {
  let rules: Rules<Name, Body> | undefined;
  return { now: () => rules, load: async () => (rules ??= await fetchRules()) };
}

/** What a schema found, by the field that it is about. */
export function messagesOf<Name extends string>(
  issues: readonly { path: readonly PropertyKey[]; message: string }[] = [],
): Messages<Name> {
  const messages: Partial<Record<Name, string[]>> = {};
  for (const { path, message } of issues) (messages[path[0] as Name] ??= []).push(message);
  return messages;
}

interface LightForm<Name extends string, Body> {
  initial: Typed<Name>;
  rules: LateRules<Name, Body>;
  /** What the server said of fields as they were sent, or are at first. */
  refused?: Messages<Name> | undefined;
  /** What was sent is on its way: nothing more is taken. */
  busy: boolean;
  onSubmit: (body: Body) => void;
}

/**
 * A form of some texts on a page that a visit begins with: the library of the other forms is a tenth of what a visitor would wait
 * for, and the rules come once somebody is in a field. As there, a field is checked when it is left, and from then on while it is typed in.
 */
export function useLightForm<Name extends string, Body>(options: LightForm<Name, Body>) {
  const { initial, rules: late, refused, busy, onSubmit } = options;
  const names = Object.keys(initial) as Name[];
  const form = useRef<HTMLFormElement>(null);
  const [typed, setTyped] = useState(initial);
  const [sent, setSent] = useState(initial);
  const [left, setLeft] = useState<readonly Name[]>([]);
  const [rules, setRules] = useState(late.now);
  const isChecking = useRef(false);
  // Those that cannot be loaded are asked for again when a field is left; only when the form is sent does a failure matter.
  const fetchRules = () =>
    void late.load().then(
      (loaded) => setRules(() => loaded),
      () => undefined,
    );

  const elementOf = (name: string) => form.current?.elements.namedItem(name) as HTMLInputElement | null;
  const focus = (name: Name) => {
    elementOf(name)?.focus();
    elementOf(name)?.select();
  };
  useEffect(() => {
    const first = Object.keys(refused ?? {}).find((name) => elementOf(name));
    if (first !== undefined) focus(first as Name);
  }, [refused]);

  /** As it is in the fields: a browser may have filled them in. */
  const read = () =>
    Object.fromEntries(names.map((name) => [name, elementOf(name)?.value ?? ''])) as Typed<Name>;
  const submit = async () => {
    isChecking.current = true;
    try {
      const loaded = await late.load();
      const now = read();
      setRules(() => loaded);
      setTyped(now);
      setLeft(names);
      const { body, errors } = loaded(now);
      const first = names.find((name) => errors[name]);
      if (first) return elementOf(first)?.focus();
      setSent(now);
      if (body !== undefined) onSubmit(body);
    } catch {
      notify.error(UNREACHABLE);
    } finally {
      isChecking.current = false;
    }
  };

  const found = rules?.(typed).errors;
  return {
    typed,
    /** Undefined while the rules are not there. */
    found,
    isValid: found !== undefined && names.every((name) => !found[name]),
    focus,
    /** What stands under a field. */
    errorsOf: (name: Name): readonly string[] =>
      (left.includes(name) && found?.[name]) || (typed[name] === sent[name] && refused?.[name]) || [],
    /** For the form; its fields have their names and what is in them at first. */
    props: {
      ref: form,
      noValidate: true,
      onFocus: () => {
        if (!rules) fetchRules();
      },
      onChange: () => setTyped(read()),
      onBlur: ({ target }: { target: Element }) => {
        const name = names.find((each) => elementOf(each) === target);
        if (!name) return;
        if (!rules) fetchRules();
        setTyped(read());
        setLeft((before) => [...before, name]);
      },
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        if (!busy && !isChecking.current) void submit();
      },
    },
  };
}
