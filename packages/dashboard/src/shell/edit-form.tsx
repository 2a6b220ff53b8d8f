import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ConflictDialog, type FieldsInWords } from '../ui/dialog/conflict-dialog.tsx'
import { type Checks, type Form, type FormOptions, useForm } from '../ui/form/form.tsx'
import { useKept } from '../ui/form/kept-form.ts'
import { type Fields, type Merged, merge } from '../ui/form/merge.ts'
import { wasOvertaken } from '../ui/form/overtaken.ts'
import { allOf } from '../ui/words/lists.ts'
import type { Versioned } from '../versioned.ts'
import type { ChangedBy } from './live.tsx'
import { useSession } from './session.ts'

interface EditFormOptions<Values extends Fields, Answer, How>
  extends Checks<Values>,
    Pick<FieldsInWords<Values>, 'sentence'> {
  /** What is edited, under which the browser keeps what is typed: "webhook:0198f2c6". */
  object: string
  /**
   * A newer one is shown at once if nothing was typed. Otherwise the form and its dialog stay as they are: the save merges.
   */
  base: Versioned<Values>
  /** The current version, after a 412, with the name of who saved it, if the service reports it. */
  read: () => Promise<Current<Values>>
  /** `base` is what the values began with. */
  write: (values: Values, etag: string, base: Values, how?: How) => Promise<Answer>
  done: (answer: Answer, values: Values, how?: How) => unknown
  /** The names of fields in a conflict. A function gets all edits, for forms whose fields differ. */
  labels: FieldsInWords<Values>['labels'] | ((...edits: Values[]) => Record<string, string>)
  /** The words of a value; undefined for a text, a list of texts, or yes and no. */
  shown?: (field: keyof Values & string, value: unknown) => ReactNode
  /** From `useChangedBy`: a line of the form says so before the person saves. */
  changed?: ChangedBy | undefined
  /** Who has changed it meanwhile, if that is known otherwise. */
  who?: string | undefined
  /** Fields that the browser never keeps. They are typed again after a reload. */
  secrets?: readonly (keyof Values & string)[]
}

interface Current<Values> extends Versioned<Values> {
  who?: string
}

/** A form whose text the browser keeps until it is sent. */
export interface KeptForm<Values, How = undefined> extends Form<Values, How> {
  /** Drops what is kept, before the form is closed for good. */
  forget: () => void
}

interface EditForm<Values extends Fields, How> {
  form: KeptForm<Values, How>
  /** Render it beside the form. */
  dialog: ReactNode
  /** What the typed values began with. It is of an older version than the given one if another person has saved since. */
  base: Versioned<Values>
  /** Goes on with this version, after a save of a form that stays on the page. */
  begin: (base: Versioned<Values>) => void
}

/**
 * A form for something that has a version. What is typed survives a reload and a new sign-in. If another person has saved
 * meanwhile, nothing is lost: `dialog` shows what was merged by field, and asks about fields that both changed. What is
 * chosen there is saved as the form's own values, so the form shows what is wrong with them.
 */
export function useEditForm<Values extends Record<string, unknown>, Answer, How = undefined>(
  options: EditFormOptions<Values, Answer, How>,
): EditForm<Values, How> {
  const { object, read, write, changed } = options
  const kept = useKeptForm<Values>(object, options.base, options.secrets)
  const [before, setBefore] = useState(changed)
  const [conflict, setConflict] = useState<Conflict<Values, How>>()
  const form = useForm<Values, { answer: Answer } | undefined, Sending<Values, How>>({
    ...options,
    initial: kept.mine,
    send: async (values, { how, since = kept.base }: Partial<Sending<Values, How>> = {}) => {
      try {
        return { answer: await write(values, since.etag, since.content, how) }
      } catch (error) {
        const isNew = since.etag === ''
        try {
          if (isNew || !wasOvertaken(error)) throw error
          const current = await read()
          const merged = merge(since.content, values, current.content)
          // Something else of the same object has changed, for example its switch.
          if (isUntouched(merged, values)) return { answer: await write(values, current.etag, current.content, how) }
          setConflict({ merged, base: since.content, mine: values, current, how })
          return undefined
        } catch (failure) {
          // The form shows what failed, and the dialog would cover it.
          setConflict(undefined)
          throw failure
        }
      }
    },
    done: (saved, values, sending) => {
      if (!saved) return
      setConflict(undefined)
      // Until the saved version is read, a further edit must not conflict with the person's own save.
      kept.begin({ content: values, etag: kept.base.etag })
      setBefore(changed)
      return options.done(saved.answer, values, sending?.how)
    },
    changed: kept.keep,
  })
  const takeOver = ({ current, how }: Conflict<Values, How>, values: Values) => {
    kept.set({ mine: values, base: current.content, etag: current.etag })
    if (!form.save({ how, since: current }, values)) setConflict(undefined)
  }
  const begin = (next: Versioned<Values>) => {
    kept.begin(next)
    form.reset(next.content)
  }
  const isHeld = () => form.isPending || conflict !== undefined || !isSame(form.values, kept.base.content)
  useNewer(options.base, kept.base.etag, isHeld, begin)
  const changedBy = changed && changed !== before && isEdit(changed) ? { changedBy: changed } : {}
  return {
    form: { ...kept.restoring({ ...form, save: (how, values) => form.save({ how }, values) }), ...changedBy },
    dialog: conflict && (
      <Overtaken
        {...options}
        conflict={conflict}
        who={options.who ?? changed?.name ?? conflict.current.who ?? 'Another person'}
        onSave={(values) => takeOver(conflict, values)}
        isSaving={form.isPending}
        onClose={() => setConflict(undefined)}
      />
    ),
    base: kept.base,
    begin: (next) => {
      begin(next)
      setBefore(changed)
    },
  }
}

/** Begins with a newer version as soon as nothing holds the form. */
function useNewer<Values>(
  next: Versioned<Values>,
  current: string,
  isHeld: () => boolean,
  begin: (next: Versioned<Values>) => void,
) {
  const seen = useRef(current)
  useEffect(() => {
    if (next.etag === seen.current || isHeld()) return
    seen.current = next.etag
    if (next.etag !== current) begin(next)
  })
}

/** Further wishes of a button, and the version that the values began with, if it differs from the one of the form. */
interface Sending<Values, How> {
  how: How | undefined
  since?: Versioned<Values>
}

interface Conflict<Values extends Fields, How> {
  merged: Merged<Values>
  base: Values
  mine: Values
  current: Current<Values>
  how: How | undefined
}

const isUntouched = <Values extends Fields>({ values, conflicts, theirs }: Merged<Values>, mine: Values): boolean =>
  JSON.stringify(values) === JSON.stringify(mine) && conflicts.length === 0 && theirs.length === 0

/** A switch does not change any field of a form, and the page reports a deletion. */
const isEdit = ({ action }: ChangedBy): boolean => !/\.(?:run|pause|delete)$/.test(action)

interface OvertakenProps<Values extends Fields, How>
  extends Pick<EditFormOptions<Values, unknown, How>, 'labels' | 'shown' | 'sentence'> {
  conflict: Conflict<Values, How>
  who: string
  onSave: (values: Values) => void
  isSaving: boolean
  onClose: () => void
}

function Overtaken<Values extends Fields, How>(props: OvertakenProps<Values, How>) {
  const { conflict, who, labels, shown, sentence, onSave, isSaving, onClose } = props
  const { merged, base, mine, current } = conflict
  return (
    <ConflictDialog
      key={current.etag}
      who={who}
      merged={merged}
      labels={
        (typeof labels === 'function' ? labels(base, current.content, mine) : labels) as FieldsInWords<Values>['labels']
      }
      shown={(field, value) => shown?.(field, value) || wordsOf(value)}
      sentence={sentence}
      onSave={onSave}
      isSaving={isSaving}
      onClose={onClose}
    />
  )
}

const wordsOf = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return allOf([value ?? ''].flat().map(String).filter(Boolean)) || 'none'
}

interface NewFormOptions<Values extends Record<string, unknown>, Answer, How> extends FormOptions<Values, Answer, How> {
  /** What is created and where, under which the browser keeps what is typed: "new-webhook:3". */
  object: string
  /** Fields that the browser never keeps. They are typed again after a reload. */
  secrets?: readonly (keyof Values & string)[]
}

/** A form for something new. What is typed survives a reload and a new sign-in. */
export function useNewForm<Values extends Record<string, unknown>, Answer, How = undefined>(
  options: NewFormOptions<Values, Answer, How>,
): KeptForm<Values, How> {
  const kept = useKeptForm<Values>(options.object, { content: options.initial, etag: '' }, options.secrets)
  const form = useForm({
    ...options,
    initial: kept.mine,
    done: (answer: Answer, values, how?: How) => {
      // A form of several steps has only gone to the next one.
      if (answer !== null) kept.forget()
      return options.done(answer, values, how)
    },
    changed: kept.keep,
  })
  return kept.restoring(form)
}

/** The values of a form with the version that they began with, from before a reload or fresh. */
function useKeptForm<Values extends Record<string, unknown>>(
  object: string,
  { content, etag }: Versioned<Values>,
  secrets: readonly (keyof Values & string)[] = [],
) {
  const { user } = useSession()
  const withoutSecrets = (values: Values): Values =>
    Object.fromEntries(
      Object.entries(values).map(([field, value]) => [field, secrets.includes(field) ? content[field] : value]),
    ) as Values
  const kept = useKept({
    place: { person: user.id, object, etag },
    initial: { mine: content, base: content, etag },
    stored: ({ mine, ...others }) => ({ ...others, mine: withoutSecrets(mine) }),
  })
  const { mine, base } = kept.values
  return {
    mine,
    /** An older version than the given one if another person has saved since: the save then merges. */
    base: { content: base, etag: kept.values.etag },
    set: kept.set,
    keep: (values: Values) => (isSame(values, base) ? kept.forget() : kept.set({ mine: values })),
    forget: kept.forget,
    begin: ({ content, etag }: Versioned<Values>) => kept.settle({ mine: content, base: content, etag }),
    restoring: <How,>(form: Form<Values, How>): KeptForm<Values, How> => {
      const discard = () => {
        kept.discard()
        form.reset(content)
      }
      return { ...form, forget: kept.forget, ...(kept.isRestored && { restored: { discard } }) }
    },
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
