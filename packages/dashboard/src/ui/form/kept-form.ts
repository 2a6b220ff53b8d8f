import { useEffect, useRef, useState } from 'react'

const prefix = 'svc.form.'
const keptMs = 7 * 86_400_000
/** Longer forms are not kept: the browser has about 5 MB for everything. */
const maxCharacters = 200_000

/** What `localStorage` can do. Tests pass a map. */
export type FormStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** Which form: whose, of what, and the version that it began with. */
export interface FormPlace {
  /** The id of the person. Another person at this browser does not see the text. */
  person: string
  /** The object and the kind of form: "rule:0198f2c6", "create-flag:3". */
  object: string
  /** The ETag that the form was read with; empty for something new. */
  etag: string
}

interface KeptForm {
  etag: string
  at: number
  values: Record<string, unknown>
}

const keyOf = ({ person, object }: FormPlace): string => `${prefix}${person}.${object}`

/** Keeps what was typed. Fields in `secrets` are never written. A full storage keeps nothing, and the form goes on. */
export function keepForm(
  storage: FormStorage,
  place: FormPlace,
  values: Readonly<Record<string, unknown>>,
  { now, secrets = [] }: { now: number; secrets?: readonly string[] },
): void {
  const kept = Object.fromEntries(Object.entries(values).filter(([field]) => !secrets.includes(field)))
  const text = JSON.stringify({ etag: place.etag, at: now, values: kept } satisfies KeptForm)
  if (text.length > maxCharacters) return
  try {
    storage.setItem(keyOf(place), text)
  } catch {
    forgetForm(storage, place)
  }
}

/**
 * What was typed in this form in the last 7 days. `isOvertaken` if the object has changed since: the values must then be
 * merged with the new version.
 */
export function recallForm(
  storage: FormStorage,
  place: FormPlace,
  now: number,
): { values: Record<string, unknown>; isOvertaken: boolean } | undefined {
  const kept = parsed(storage.getItem(keyOf(place)))
  if (!kept || now - kept.at > keptMs) return undefined
  return { values: kept.values, isOvertaken: kept.etag !== place.etag }
}

/** After the form was sent or discarded. */
export const forgetForm = (storage: FormStorage, place: FormPlace): void => storage.removeItem(keyOf(place))

/** Removes every kept form, at sign-out; with `now`, only those that are older than 7 days. */
export function forgetForms(storage: FormStorage, now?: number): void {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '')
  for (const key of keys.filter((each) => each.startsWith(prefix))) {
    const kept = parsed(storage.getItem(key))
    if (now === undefined || !kept || now - kept.at > keptMs) storage.removeItem(key)
  }
}

function parsed(text: string | null): KeptForm | undefined {
  try {
    const kept = JSON.parse(text ?? '') as KeptForm
    return typeof kept.at === 'number' && typeof kept.values === 'object' && kept.values !== null ? kept : undefined
  } catch {
    return undefined
  }
}

interface KeptOptions<Values> {
  place: FormPlace
  initial: Values
  /** Fields that are never kept: passwords, secrets. */
  secrets?: readonly (keyof Values & string)[]
  /** What is kept of the values, if they have secrets further inside. */
  stored?: (values: Values) => Readonly<Record<string, unknown>>
}

/**
 * The values of a form that survive a reload, a navigation and a new sign-in, until `forget` is called after sending.
 * `isRestored` says that the values are from before: the page then says so, and offers to discard them.
 */
export function useKept<Values extends Record<string, unknown>>({
  place,
  initial,
  secrets = [],
  stored = (values) => values,
}: KeptOptions<Values>) {
  const [start] = useState(() => {
    forgetForms(localStorage, Date.now())
    const kept = recallForm(localStorage, place, Date.now())
    return {
      values: { ...initial, ...kept?.values } as Values,
      isRestored: kept !== undefined,
      isOvertaken: kept?.isOvertaken ?? false,
    }
  })
  const [values, setValues] = useState(start.values)
  const [isRestored, setIsRestored] = useState(start.isRestored)
  const isSent = useRef(false)
  useEffect(() => {
    if (values === start.values || isSent.current) return
    keepForm(localStorage, place, stored(values), { now: Date.now(), secrets })
  })
  const forget = () => {
    isSent.current = true
    forgetForm(localStorage, place)
  }
  const settle = (next: Values) => {
    forget()
    setValues(next)
    setIsRestored(false)
  }
  return {
    values,
    set: (next: Partial<Values>) => {
      isSent.current = false
      setValues((current) => ({ ...current, ...next }))
    },
    isRestored,
    /** The object has changed since these values were typed: merge them with its new version. */
    isOvertaken: start.isOvertaken,
    /** Forgets what is kept, after the form was sent. */
    forget,
    /** Forgets it and goes on with these values, after the form was sent and stays on the page. */
    settle,
    /** Forgets it and starts again. */
    discard: () => settle(initial),
  }
}
