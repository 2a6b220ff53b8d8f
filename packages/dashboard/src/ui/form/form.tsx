import { Button, Group, Stack, Text } from '@mantine/core'
import { ApiError, type Issue } from '@svc/client'
import { useMutation } from '@tanstack/react-query'
import {
  type ChangeEvent,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  use,
  useEffect,
  useRef,
  useState,
} from 'react'
import { ChangedNotice } from '../changes/changed-notice.tsx'
import { InPanel } from '../dialog/in-panel.ts'
import { FailureNotice } from '../notice/failure-notice.tsx'
import { ErrorSummary, focusSummary } from './error-summary.tsx'
import { fieldErrors } from './field-errors.ts'
import classes from './form.module.css'
import { ownFaults } from './own-faults.ts'
import { RestoredNotice } from './restored-notice.tsx'

type Name<Values> = keyof Values & string

/** `How` is the further wish of a second button: to review at once, to confirm something. */
export interface FormOptions<Values, Answer, How = undefined> extends Checks<Values> {
  initial: Values
  /** Name the fields as in the body, so that an issue appears at its field. */
  send: (values: Values, how?: How) => Promise<Answer>
  done: (answer: Answer, values: Values, how?: How) => unknown
  /** Called with what was typed, for a form that is kept. */
  changed?: (values: Values) => void
}

/** Checks before the service is called. The service checks everything again. */
export interface Checks<Values> {
  /** By field: a message, or undefined. */
  rules?: { [Field in Name<Values>]?: (value: Values[Field], values: Values) => string | undefined }
  /** What is wrong with inputs that are a part of a field, by their names, which begin with the name of the field. */
  partRules?: (values: Values) => Record<string, string>
  /** The name of the input that an issue is about. Default: the field at the beginning of the path. */
  inputOf?: (path: Issue['path'], values: Values) => string | undefined
  /** Changes the values before they are checked and sent. The form then shows what was sent. */
  tidy?: (values: Values) => Values
}

export interface Form<Values, How = undefined> {
  values: Values
  /** `input` is the name of the input that was changed, where the field has several. */
  set: <Field extends Name<Values>>(name: Field, value: Values[Field], input?: string) => void
  setAll: (next: Partial<Values>) => void
  /** Props of a text input, a select or the like. */
  field: (name: Name<Values>) => FieldProps
  error: (name: Name<Values>) => string | undefined
  /** Applies the rule of a field that has been filled in, when it is left. */
  check: (name: Name<Values>) => void
  /** What is wrong with fields, in the order of the values. */
  faults: { name: string; message: string }[]
  submit: (event: FormEvent) => void
  /** The same by another button, or with other values. False if nothing was sent, because something is wrong with them. */
  save: (how?: How, values?: Values) => boolean
  /** Back to the initial values, or to others. */
  reset: (to?: Values) => void
  isPending: boolean
  failure: unknown
  /** What the service refused, field by field. */
  issues: readonly Issue[]
  /** The messages of the failure that belong to no field. */
  messages: string[] | undefined
  element: RefObject<HTMLFormElement | null>
  /** The values are from before a reload or a new sign-in. */
  restored?: { discard: () => void }
  /** Another person has saved since the form was opened. */
  changedBy?: { name: string; at: Date }
}

export interface FieldProps {
  name: string
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void
}

/** Props of the first field, which gets the focus when a page or a dialog opens. */
export const first = { autoFocus: true, 'data-autofocus': true }

/** The values of a form, with errors from its rules or from the service at their fields. */
export function useForm<Values extends Record<string, unknown>, Answer, How = undefined>(
  options: FormOptions<Values, Answer, How>,
): Form<Values, How> {
  const [values, setValues] = useState(options.initial)
  const element = useRef<HTMLFormElement>(null)
  const { errors, setErrors, find } = useFaults(element)
  const sending = useMutation({
    mutationFn: (sent: { values: Values; how: How | undefined }) => options.send(sent.values, sent.how),
    onSuccess: (answer, sent) => options.done(answer, sent.values, sent.how),
    onError: (error, sent) => find(refused(error, sent.values).fields),
  })
  const refused = (error: unknown, sent: Values) =>
    error instanceof ApiError
      ? fieldErrors(error.issues, Object.keys(values), (path) => options.inputOf?.(path, sent))
      : { fields: {}, others: [] }

  const changed = useTelling(() => options.changed?.(values))
  const set: Form<Values>['set'] = (name, value, input = name) => {
    setValues((current) => ({ ...current, [name]: value }))
    changed.current = true
    setErrors((current) => without(current, input))
  }
  const save: Form<Values, How>['save'] = (how, wanted = values) => {
    if (sending.isPending) return false
    const next = options.tidy?.(wanted) ?? wanted
    if (next !== values) {
      setValues(next)
      changed.current = true
    }
    const found = { ...faultsIn(options, next), ...ownFaults(element.current) }
    find(found)
    const isRight = Object.keys(found).length === 0
    if (isRight) sending.mutate({ values: next, how })
    return isRight
  }
  const { fields, others } = refused(sending.error, sending.variables?.values ?? values)
  const isBesideFields = Object.keys(fields).length > 0
  return {
    values,
    set,
    setAll: (next) => {
      for (const name of Object.keys(next)) set(name, next[name] as Values[typeof name])
    },
    field: (name) => ({
      name,
      value: String(values[name] ?? ''),
      error: errors[name],
      onChange: (event) => set(name, event.currentTarget.value as Values[typeof name]),
    }),
    error: (name) => errors[name],
    check: (name) => {
      const message = values[name] ? options.rules?.[name]?.(values[name], values) : undefined
      if (message !== undefined) setErrors((current) => ({ ...current, [name]: message }))
    },
    faults: inOrder(errors, Object.keys(values)),
    submit: (event) => {
      event.preventDefault()
      save()
    },
    save,
    reset: (to = options.initial) => {
      setValues(to)
      setErrors({})
      sending.reset()
    },
    isPending: sending.isPending,
    failure: isBesideFields && others.length === 0 ? null : sending.error,
    issues: sending.error instanceof ApiError ? sending.error.issues : [],
    messages: isBesideFields ? others : undefined,
    element,
  }
}

/** What is wrong by input. The focus moves to faults that a submit has found, but not when typing removes one of them. */
function useFaults(form: RefObject<HTMLFormElement | null>) {
  const [errors, setErrors] = useState<Record<string, string>>({})
  const isFound = useRef(false)
  const find = (found: Record<string, string>) => {
    isFound.current = Object.keys(found).length > 0
    setErrors(found)
  }
  useEffect(() => {
    if (!isFound.current) return
    isFound.current = false
    if (Object.keys(errors).length === 1) focusFirstFault(form.current)
    else focusSummary(form.current)
  }, [errors, form])
  return { errors, setErrors, find }
}

/** A mark. After a render that finds it set, `tell` is called once. */
function useTelling(tell: () => void) {
  const mark = useRef(false)
  useEffect(() => {
    if (!mark.current) return
    mark.current = false
    tell()
  })
  return mark
}

/** A rule: the field must not be empty. */
export const required = (message: string) => (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? message : undefined

interface ApiFormProps {
  form: Pick<
    Form<never>,
    'submit' | 'isPending' | 'failure' | 'messages' | 'faults' | 'element' | 'restored' | 'changedBy'
  >
  /** The verb of the button. */
  verb: string
  children: ReactNode
  /** Beside the button. */
  actions?: ReactNode
  /** What the button will do, in a sentence. With it or in a side panel, the button stays in view while a form scrolls. */
  summary?: ReactNode
  /** The button is as wide as the form. */
  isWide?: boolean
  /** The action cannot be undone, or it removes protection. */
  isDangerous?: boolean
  /** A different form of the page has the main action. */
  isSecondary?: boolean
  /** Shown in place of the failure, where a person can do something about it: read what is new, confirm, mend. */
  refusal?: ReactNode
  /** What has failed: "The rule was not saved". */
  failed?: string
}

/** A form with its faults, its button and what failed. Ctrl Enter sends it from every field. */
export function ApiForm({
  form,
  verb,
  children,
  actions,
  summary,
  isWide,
  isDangerous,
  isSecondary,
  refusal,
  failed,
}: ApiFormProps) {
  const isInPanel = use(InPanel)
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  return (
    <form className={classes.form} ref={form.element} onSubmit={form.submit} onKeyDown={press} noValidate>
      <Stack gap="md">
        {form.restored && <RestoredNotice discard={form.restored.discard} />}
        {form.changedBy && <ChangedNotice {...form.changedBy} />}
        <ErrorSummary faults={form.faults} form={form.element} />
        {refusal || (
          <FailureNotice
            error={form.failure}
            {...(failed && { title: failed })}
            {...(form.messages && { messages: form.messages })}
          />
        )}
        {children}
        <Group
          gap="xs"
          justify={isWide ? 'center' : 'flex-start'}
          {...((summary !== undefined || isInPanel) && {
            className: classes.bar ?? '',
            'data-bottom-bar': summary === undefined ? 'form' : 'summary',
          })}
        >
          {summary !== undefined && (
            <Text size="sm" w="100%" lineClamp={3}>
              {summary}
            </Text>
          )}
          <Button
            type="submit"
            loading={form.isPending}
            aria-keyshortcuts="Control+Enter"
            fullWidth={isWide === true}
            {...(isDangerous && { color: 'red' })}
            {...(isSecondary && { variant: 'default' })}
          >
            {verb}
          </Button>
          {actions}
        </Group>
      </Stack>
    </form>
  )
}

type Rules<Values> = NonNullable<Checks<Values>['rules']>

const faultsIn = <Values extends Record<string, unknown>>(checks: Checks<Values>, values: Values) => ({
  ...brokenRules(checks.rules ?? {}, values),
  ...checks.partRules?.(values),
})

function brokenRules<Values extends Record<string, unknown>>(rules: Rules<Values>, values: Values) {
  const found = Object.keys(rules).map((name) => [name, rules[name]?.(values[name] as never, values)])
  return Object.fromEntries(found.filter(([, message]) => message !== undefined)) as Record<string, string>
}

/** In the order of the fields. The name of a part of a field begins with the name of the field. */
function inOrder(errors: Record<string, string>, fields: readonly string[]): { name: string; message: string }[] {
  const placeOf = (name: string) => fields.findIndex((field) => name === field || name.startsWith(`${field}.`))
  return Object.entries(errors)
    .filter(([name]) => placeOf(name) >= 0)
    .map(([name, message]) => ({ name, message }))
    .toSorted((one, other) => placeOf(one.name) - placeOf(other.name))
}

/** Without the fault of an input, and without those of its parts. */
function without(errors: Record<string, string>, name: string): Record<string, string> {
  const others = Object.entries(errors).filter(([input]) => input !== name && !input.startsWith(`${name}.`))
  return others.length === Object.keys(errors).length ? errors : Object.fromEntries(others)
}

function focusFirstFault(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"] input')?.focus()
}
