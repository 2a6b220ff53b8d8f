import { Button, Group, Stack } from '@mantine/core'
import { ApiError } from '@svc/client'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { FailureNotice } from './failure-notice.tsx'
import { fieldErrors } from './field-errors.ts'

type Name<Values> = keyof Values & string

interface FormOptions<Values, Answer> {
  initial: Values
  /** What can be said before asking the service: a message, or nothing to object. The service checks all the same. */
  rules?: { [Field in Name<Values>]?: (value: Values[Field], values: Values) => string | undefined }
  /** The fields' names are those of the body, so that a refusal finds its field. */
  send: (values: Values) => Promise<Answer>
  done: (answer: Answer, values: Values) => unknown
}

export interface Form<Values> {
  values: Values
  set: <Field extends Name<Values>>(name: Field, value: Values[Field]) => void
  /** Props of a text input, a select or the like. */
  field: (name: Name<Values>) => FieldProps
  error: (name: Name<Values>) => string | undefined
  submit: (event: FormEvent) => void
  reset: () => void
  isPending: boolean
  failure: unknown
  /** Of the failure, what stands beside no field. */
  messages: string[] | undefined
  element: RefObject<HTMLFormElement | null>
}

export interface FieldProps {
  name: string
  value: string
  error: string | undefined
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => void
}

/** Of a field that one begins with: where a page or a dialog opens, it has the focus. */
export const first = { autoFocus: true, 'data-autofocus': true }

/** A form's values, and its faults beside their fields, whether a rule here or the service found them. */
export function useForm<Values extends Record<string, unknown>, Answer>(
  options: FormOptions<Values, Answer>,
): Form<Values> {
  const [values, setValues] = useState(options.initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const element = useRef<HTMLFormElement>(null)
  const sending = useMutation({
    mutationFn: options.send,
    onSuccess: (answer, sent) => options.done(answer, sent),
    onError: (error) => setErrors(refused(error).fields),
  })
  const refused = (error: unknown) =>
    error instanceof ApiError ? fieldErrors(error.issues, Object.keys(options.initial)) : { fields: {}, others: [] }

  useEffect(() => {
    if (Object.keys(errors).length > 0) focusFirstFault(element.current)
  }, [errors])

  const set: Form<Values>['set'] = (name, value) => {
    setValues((current) => ({ ...current, [name]: value }))
    setErrors((current) => (name in current ? without(current, name) : current))
  }
  const { fields, others } = refused(sending.error)
  const isBesideFields = Object.keys(fields).length > 0
  return {
    values,
    set,
    field: (name) => ({
      name,
      value: String(values[name] ?? ''),
      error: errors[name],
      onChange: (event) => set(name, event.currentTarget.value as Values[typeof name]),
    }),
    error: (name) => errors[name],
    submit: (event) => {
      event.preventDefault()
      if (sending.isPending) return
      const found = brokenRules(options.rules ?? {}, values)
      setErrors(found)
      if (Object.keys(found).length === 0) sending.mutate(values)
    },
    reset: () => {
      setValues(options.initial)
      setErrors({})
      sending.reset()
    },
    isPending: sending.isPending,
    failure: isBesideFields && others.length === 0 ? null : sending.error,
    messages: isBesideFields ? others : undefined,
    element,
  }
}

/** A rule: something has to be there. */
export const required = (message: string) => (value: unknown) =>
  typeof value === 'string' && value.trim() === '' ? message : undefined

interface ApiFormProps {
  form: Pick<Form<never>, 'submit' | 'isPending' | 'failure' | 'messages' | 'element'>
  /** The verb of the button. */
  verb: string
  children: ReactNode
  /** Beside the button. */
  actions?: ReactNode
  /** The button is as wide as the form. */
  isWide?: boolean
  /** What it does cannot be undone, or takes protection away. */
  isDangerous?: boolean
  /** Of a write that holds only for the version that was read: reads the present one. Offered when somebody was faster. */
  reload?: () => void
}

export function ApiForm({ form, verb, children, actions, isWide, isDangerous, reload }: ApiFormProps) {
  return (
    <form ref={form.element} onSubmit={form.submit} noValidate>
      <Stack gap="md">
        {reload && isOvertaken(form.failure) ? (
          <FailureNotice
            error={form.failure}
            title="Somebody else was faster"
            messages={[
              'This was changed while you edited it. Nothing was saved: load what it is now, then change that.',
            ]}
            retry={reload}
            retryVerb="Load what it is now"
          />
        ) : (
          <FailureNotice error={form.failure} {...(form.messages && { messages: form.messages })} />
        )}
        {children}
        <Group gap="xs" justify={isWide ? 'center' : 'flex-start'}>
          <Button
            type="submit"
            loading={form.isPending}
            fullWidth={isWide === true}
            {...(isDangerous && { color: 'red' })}
          >
            {verb}
          </Button>
          {actions}
        </Group>
      </Stack>
    </form>
  )
}

const isOvertaken = (error: unknown) => error instanceof ApiError && error.code === 'precondition_failed'

type Rules<Values> = NonNullable<FormOptions<Values, unknown>['rules']>

function brokenRules<Values extends Record<string, unknown>>(rules: Rules<Values>, values: Values) {
  const found = Object.keys(rules).map((name) => [name, rules[name]?.(values[name] as never, values)])
  return Object.fromEntries(found.filter(([, message]) => message !== undefined)) as Record<string, string>
}

function without(errors: Record<string, string>, name: string): Record<string, string> {
  const { [name]: _gone, ...others } = errors
  return others
}

function focusFirstFault(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid="true"] input')?.focus()
}
