import { type RefObject, useEffect, useRef, useState } from 'react'
import classes from './error-summary.module.css'
import { counted } from './lists.ts'

interface ErrorSummaryProps {
  /** By field: its name in the form, and what is wrong. */
  faults: readonly { name: string; message: string }[]
  /** The form in which the fields are found by their names. */
  form: RefObject<HTMLElement | null>
}

/**
 * Several faults of a form, with a link to each field. It takes the focus when it appears and when the faults change.
 * With one fault, the form focuses its field instead and shows no summary.
 */
export function ErrorSummary({ faults, form }: ErrorSummaryProps) {
  const summary = useRef<HTMLDivElement>(null)
  const text = faults.map(({ name, message }) => `${name} ${message}`).join('\n')
  const [labels, setLabels] = useState<Record<string, string>>({})
  const fieldOf = (name: string) => form.current?.querySelector<HTMLElement>(`[name="${CSS.escape(name)}"]`)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other faults take the focus again
  useEffect(() => {
    // The labels are in the page only after it is rendered.
    setLabels(Object.fromEntries(faults.map(({ name }) => [name, labelOf(fieldOf(name))])))
    if (faults.length > 1) summary.current?.focus()
  }, [text])
  if (faults.length < 2) return null
  return (
    <div className={classes.summary} ref={summary} tabIndex={-1} role="alert">
      <p className={classes.title}>{counted(faults.length, 'field')} need your attention</p>
      <ul className={classes.list}>
        {faults.map(({ name, message }) => (
          <li key={name}>
            <button type="button" className={classes.link} onClick={() => fieldOf(name)?.focus()}>
              {labels[name]}
              {message}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function labelOf(field: Element | null | undefined): string {
  const label =
    field instanceof HTMLInputElement || field instanceof HTMLSelectElement || field instanceof HTMLTextAreaElement
      ? field.labels?.[0]?.textContent
      : undefined
  return label ? `${label.replace(/\s*\*\s*$/, '')}: ` : ''
}
