import { TextInput, type TextInputProps } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import classes from './choosing-field.module.css'

interface Choosing<Choice> {
  /** What can be chosen now, at most ten. */
  offered: readonly Choice[]
  /** The name of the list, such as "Flags". */
  listName: string
  keyOf: (choice: Choice) => string
  show: (choice: Choice) => ReactNode
  onChoose: (choice: Choice) => void
}

interface ChoosingFieldProps<Choice> extends Omit<TextInputProps, 'value' | 'onChange'>, Choosing<Choice> {
  /** The text in the field. */
  value: string
  onType: (text: string) => void
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  /** Whether a click and the arrow keys open the list before anything is typed. */
  opensUntyped?: boolean
  /** Whether Enter chooses the first one where no arrow key was pressed. */
  takesFirst?: boolean
  /** Whether only a choice counts, and not the text. Then Enter reaches the form only while the list is closed. */
  mustChoose?: boolean
}

const none = -1

/** A text field that offers choices for what is typed. The focus stays in the field, and screen readers follow. */
export function ChoosingField<Choice>(props: ChoosingFieldProps<Choice>) {
  const { value, onType, isOpen, setOpen, opensUntyped, takesFirst, mustChoose, ...rest } = props
  const { offered, listName, keyOf, show, onChoose, ...input } = rest
  const list = useId()
  const [place, setPlace] = useState(none)
  const at = place === none && takesFirst ? 0 : place
  const close = () => {
    setOpen(false)
    setPlace(none)
  }
  const choose = (choice: Choice) => {
    close()
    onChoose(choice)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && !isOpen && opensUntyped) setOpen(true)
    else if (step !== undefined && offered.length > 0)
      setPlace(Math.max(none, Math.min(place + step, offered.length - 1)))
    else if (event.key === 'Enter' && offered[at]) choose(offered[at])
    else if (event.key === 'Escape' && (offered.length > 0 || (isOpen && mustChoose))) close()
    else if (event.key === 'Enter' && isOpen && mustChoose) close()
    else return
    // Neither the form nor the panel takes the key.
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <TextInput
      {...input}
      value={value}
      autoComplete="off"
      spellCheck={false}
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={offered.length > 0}
      aria-controls={list}
      aria-activedescendant={offered[at] ? `${list}-${at}` : undefined}
      onChange={(event) => {
        onType(event.currentTarget.value)
        setPlace(none)
      }}
      onClick={() => opensUntyped && !isOpen && setOpen(true)}
      onKeyDown={press}
      onBlur={close}
      inputContainer={(field) => (
        <div className={classes.frame}>
          {field}
          <Offered list={list} place={at} {...{ offered, listName, keyOf, show }} onChoose={choose} />
        </div>
      )}
    />
  )
}

interface OfferedProps<Choice> extends Choosing<Choice> {
  /** The id of the list. */
  list: string
  /** Where the arrow keys are. */
  place: number
}

function Offered<Choice>({ list, place, offered, listName, keyOf, show, onChoose }: OfferedProps<Choice>) {
  return (
    <div id={list} role="listbox" aria-label={listName} className={classes.list} hidden={offered.length === 0}>
      {offered.map((choice, at) => (
        <div
          key={keyOf(choice)}
          id={`${list}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === place}
          className={classes.option}
          // The field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(choice)
          }}
        >
          {show(choice)}
        </div>
      ))}
    </div>
  )
}
