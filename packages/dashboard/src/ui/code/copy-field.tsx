import { TextInput } from '@mantine/core'
import { useRef } from 'react'
import { CopyButton } from './copy-button.tsx'
import classes from './copy-field.module.css'

interface CopyFieldProps {
  label: string
  value: string
  description?: string
}

/** A text to copy: select it, or press the button. */
export function CopyField({ label, value, description }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={classes.row}>
      <TextInput
        ref={input}
        className={classes.input ?? ''}
        classNames={{ input: classes.text ?? '' }}
        label={label}
        description={description}
        value={value}
        readOnly
        spellCheck={false}
        autoComplete="off"
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={value} label="Copy" what={label} select={() => input.current?.focus()} />
    </div>
  )
}
