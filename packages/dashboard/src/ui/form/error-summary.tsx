import { type RefObject, useEffect, useRef, useState } from 'react'
import { counted } from '../words/lists.ts'
import classes from './error-summary.module.css'

interface ErrorSummaryProps {
  /** By field: its name in the form, and what is wrong. */
  faults: readonly { name: string; message: string }[]
  /** The form in which the fields are found by their names. */
  form: RefObject<HTMLElement | null>
}

/**
 * Several faults of a form, with a link to each field. It takes the focus when new faults appear, but not when one of
 * them is gone, because a person types then. With one fault, the form focuses its field instead and shows no summary.
 */
export function ErrorSummary({ faults, form }: ErrorSummaryProps) {
  const summary = useRef<HTMLDivElement>(null)
  const texts = faults.map(({ name, message }) => `${name} ${message}`)
  const known = useRef<string[]>([])
  const [labels, setLabels] = useState<Record<string, string>>({})
  const fieldOf = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other faults can take the focus
  useEffect(() => {
    // The labels are in the page only after it is rendered.
    setLabels(Object.fromEntries(faults.map(({ name }) => [name, labelOf(fieldOf(name))])))
    if (faults.length > 1 && texts.some((text) => !known.current.includes(text))) summary.current?.focus()
    known.current = texts
  }, [texts.join('\n')])
  if (faults.length < 2) return null
  return (
    <div className={classes.summary} ref={summary} tabIndex={-1} role="alert">
      <p className={classes.title}>{counted(faults.length, 'field')} need your attention</p>
      <ul className={classes.list}>
        {faults.map(({ name, message }) => (
          <li key={name}>
            <button type="button" className={classes.link} onClick={() => focus(fieldOf(name))}>
              {labels[name]}
              {message}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Gives the focus to the summary inside this form, if there is one. */
export const focusSummary = (form: HTMLElement | null): void =>
  form?.querySelector<HTMLElement>(`.${classes.summary}`)?.focus()

/** A group of boxes or radio buttons is a `fieldset` with the name of the field. */
const focus = (field: HTMLElement | null | undefined): void =>
  (field instanceof HTMLFieldSetElement ? field.querySelector<HTMLElement>('input') : field)?.focus()

function labelOf(field: Element | null | undefined): string {
  const label =
    field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement
      ? (field.labels?.[0]?.textContent ?? field.ariaLabel)
      : field?.querySelector('legend')?.textContent
  return label ? `${label.replace(/\s*\*\s*$/, '')}: ` : ''
}
