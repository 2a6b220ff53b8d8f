import { type ReactNode, useState } from 'react'
import { type Form, type FormOptions, useForm } from '../ui/form/form.tsx'
import { useKept } from '../ui/form/kept-form.ts'
import type { Versioned } from '../versioned.ts'
import type { ChangedBy } from './live.tsx'
import { type MergedSaveOptions, useMergedSave } from './merged-save.tsx'
import { useSession } from './session.ts'

type Rules<Values> = Pick<FormOptions<Values, unknown>, 'rules'>

interface EditFormOptions<Values extends Record<string, unknown>, Answer>
  extends MergedSaveOptions<Values, Answer>,
    Rules<Values> {
  /** What is edited, under which the browser keeps what is typed: "webhook:0198f2c6". */
  object: string
  /** From `useChangedBy`: a line of the form says so before the person saves. */
  changed?: ChangedBy | undefined
}

/**
 * A form for something that has a version. What is typed survives a reload and a new sign-in. If another person has saved
 * meanwhile, the two edits are merged by field: render `dialog` beside the form.
 */
export function useEditForm<Values extends Record<string, unknown>, Answer>(
  options: EditFormOptions<Values, Answer>,
): { form: Form<Values>; dialog: ReactNode; begin: (base: Versioned<Values>) => void } {
  const { object, base, rules } = options
  const kept = useKeptForm(object, base)
  const done = (answer: Answer, values: Values) => {
    kept.forget()
    return options.done(answer, values)
  }
  const { changed } = options
  const [before, setBefore] = useState(changed)
  const save = useMergedSave({ ...options, base: kept.base, done, who: options.who ?? changed?.name })
  const form = useForm({
    initial: kept.mine,
    ...(rules && { rules }),
    send: (values) => save.send(values),
    done: (saved, values) => saved && done(saved.answer, values),
    changed: kept.keep,
  })
  return {
    form: { ...kept.restoring(form), ...(changed && changed !== before && isEdit(changed) && { changedBy: changed }) },
    dialog: save.dialog,
    /** Goes on with this version, after a save of a form that stays on the page. */
    begin: (next) => {
      kept.begin(next)
      setBefore(changed)
      form.reset(next.content)
    },
  }
}

/** A switch changes nothing that is in a form, and a deletion is said by the page. */
const isEdit = ({ action }: ChangedBy): boolean => !/\.(?:run|pause|delete)$/.test(action)

interface NewFormOptions<Values extends Record<string, unknown>, Answer> extends FormOptions<Values, Answer> {
  /** What is created and where, under which the browser keeps what is typed: "new-webhook:3". */
  object: string
}

/** A form for something new. What is typed survives a reload and a new sign-in. */
export function useNewForm<Values extends Record<string, unknown>, Answer>(
  options: NewFormOptions<Values, Answer>,
): Form<Values> {
  const kept = useKeptForm(options.object, { content: options.initial, etag: '' })
  const form = useForm({
    ...options,
    initial: kept.mine,
    done: (answer, values) => {
      kept.forget()
      return options.done(answer, values)
    },
    changed: kept.keep,
  })
  return kept.restoring(form)
}

/** The values of a form with the version that they began with, from before a reload or fresh. */
function useKeptForm<Values extends Record<string, unknown>>(object: string, { content, etag }: Versioned<Values>) {
  const { user } = useSession()
  const kept = useKept({ place: { person: user.id, object, etag }, initial: { mine: content, base: content, etag } })
  const { mine, base } = kept.values
  return {
    mine,
    /** An older version than the given one if another person has saved since: the save then merges. */
    base: { content: base, etag: kept.values.etag },
    keep: (values: Values) => (isSame(values, base) ? kept.forget() : kept.set({ mine: values })),
    forget: kept.forget,
    begin: (next: Versioned<Values>) => {
      kept.set({ mine: next.content, base: next.content, etag: next.etag })
      kept.forget()
    },
    restoring: (form: Form<Values>): Form<Values> =>
      kept.isRestored
        ? {
            ...form,
            restored: {
              discard: () => {
                kept.discard()
                form.reset(content)
              },
            },
          }
        : form,
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
