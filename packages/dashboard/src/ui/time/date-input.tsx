import { TextInput, type TextInputProps } from '@mantine/core'
import { dayText } from './dates.ts'

interface DateInputProps extends Omit<TextInputProps, 'type'> {
  type: 'date' | 'time' | 'datetime-local'
}

/**
 * A day, a time of day, or both. A browser draws these inputs in the order and with the clock of its own language, and
 * no page can change that: Chromium and Firefox ignore `lang` here. So the words below the field say what is chosen as
 * all pages write it, because 01/12 is a day of January for some and of December for others.
 */
export function DateInput({ type, ...input }: DateInputProps) {
  const words = type === 'time' ? undefined : wordsOf(String(input.value ?? input.defaultValue ?? ''))
  return (
    <TextInput
      {...input}
      type={type}
      {...(words &&
        input.label && { description: words, inputWrapperOrder: ['label', 'input', 'description', 'error'] })}
    />
  )
}

function wordsOf(value: string): string | undefined {
  const [date = '', clock] = value.split('T')
  if (Number.isNaN(Date.parse(date))) return undefined
  return [dayText(date, true), clock].filter(Boolean).join(' ')
}
