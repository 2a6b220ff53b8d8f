import { Input } from '@mantine/core'
import { type ReactNode, useId, useRef } from 'react'
import classes from './code-area.module.css'

interface CodeAreaProps {
  label: string
  /** The field of a form. */
  name?: string
  description?: ReactNode
  value: string
  error?: ReactNode
  onChange: (value: string) => void
  /** How many lines are shown without scrolling. Default: 10. */
  rows?: number
  isReadOnly?: boolean
  placeholder?: string
}

/**
 * Code to type: a text area with numbered lines, which never wrap. Tab leaves it, because a keyboard must not be caught.
 */
export function CodeArea(props: CodeAreaProps) {
  const { label, name, description, value, error, onChange, rows = 10, isReadOnly = false, placeholder } = props
  const id = useId()
  const numbers = useRef<HTMLPreElement>(null)
  const count = value.split('\n').length
  const described = [description && `${id}-description`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <Input.Wrapper
      id={id}
      label={label}
      labelProps={{ htmlFor: id }}
      {...(description && { description, descriptionProps: { id: `${id}-description` } })}
      {...(error && { error, errorProps: { id: `${id}-error` } })}
    >
      <div className={classes.frame} data-fault={Boolean(error) || undefined}>
        <pre ref={numbers} className={classes.numbers} aria-hidden translate="no">
          {Array.from({ length: count }, (_none, at) => at + 1).join('\n')}
        </pre>
        <textarea
          id={id}
          {...(name !== undefined && { name })}
          className={classes.code}
          rows={Math.max(rows, Math.min(count, maxRows))}
          value={value}
          readOnly={isReadOnly}
          placeholder={placeholder}
          aria-invalid={Boolean(error)}
          aria-describedby={described || undefined}
          wrap="off"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          translate="no"
          onChange={(event) => onChange(event.currentTarget.value)}
          onScroll={({ currentTarget: { scrollTop } }) => {
            if (numbers.current) numbers.current.scrollTop = scrollTop
          }}
        />
      </div>
    </Input.Wrapper>
  )
}

/** Longer code scrolls. */
const maxRows = 30
