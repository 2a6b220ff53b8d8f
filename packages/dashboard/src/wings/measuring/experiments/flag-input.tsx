import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useId, useState } from 'react'
import { type ChoiceOfFlag, choicesOf, isChosen, nameOfChoice } from './flag-choices.ts'
import classes from './flag-input.module.css'

interface FlagInputProps {
  flags: readonly { key: string; name: string }[]
  /** The key of the chosen flag; empty if there is none. */
  flagKey: string
  onChoose: (key: string) => void
  /** Makes a flag with this name. Undefined for people who may not. */
  onCreate?: ((name: string) => void) | undefined
  isCreating: boolean
}

const none = -1

/** Finds a flag by its name or key, or offers to create one with the typed name. */
export function FlagInput({ flags, flagKey, onChoose, onCreate, isCreating }: FlagInputProps) {
  const list = useId()
  const [typed, setTyped] = useState<string>()
  const [place, setPlace] = useState(none)
  const isOpen = typed !== undefined
  const isUntouched = isOpen && isChosen(typed, flags, flagKey)
  const offered = isOpen ? choicesOf(flags, isUntouched ? '' : typed, onCreate !== undefined) : []
  // Enter takes the first of what was typed for, and changes nothing where nothing was typed.
  const at = place === none && !isUntouched ? 0 : place
  const close = () => {
    setTyped(undefined)
    setPlace(none)
  }
  const choose = (choice: ChoiceOfFlag) => {
    close()
    if (choice.is === 'flag') onChoose(choice.key)
    else onCreate?.(choice.name)
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && !isOpen) setTyped(nameOfChoice(flags, flagKey))
    else if (step !== undefined) setPlace(Math.max(none, Math.min(place + step, offered.length - 1)))
    else if (event.key === 'Enter' && offered[at]) choose(offered[at])
    else if (['Enter', 'Escape'].includes(event.key) && isOpen) close()
    else return
    // Neither the form nor the panel takes the key.
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <TextInput
      label="Flag"
      description={`Its variations are compared. Type a name to find a flag${onCreate ? ' or to create one' : ''}.`}
      placeholder={onCreate ? 'Find or create a flag' : 'Find a flag'}
      value={typed ?? nameOfChoice(flags, flagKey)}
      readOnly={isCreating}
      autoComplete="off"
      spellCheck={false}
      role="combobox"
      aria-autocomplete="list"
      aria-expanded={offered.length > 0}
      aria-controls={list}
      aria-activedescendant={offered[at] ? `${list}-${at}` : undefined}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        setPlace(none)
      }}
      // The next letter replaces the name of the flag that is chosen.
      onFocus={(event) => event.currentTarget.select()}
      onClick={() => isOpen || setTyped(nameOfChoice(flags, flagKey))}
      onKeyDown={press}
      onBlur={close}
      data-autofocus
      inputContainer={(field) => (
        <div className={classes.frame}>
          {field}
          <Offered list={list} offered={offered} place={at} onChoose={choose} />
        </div>
      )}
    />
  )
}

interface OfferedProps {
  /** The id of the list. */
  list: string
  offered: readonly ChoiceOfFlag[]
  /** Where the arrow keys are. */
  place: number
  onChoose: (choice: ChoiceOfFlag) => void
}

function Offered({ list, offered, place, onChoose }: OfferedProps) {
  return (
    <div id={list} role="listbox" aria-label="Flags" className={classes.list} hidden={offered.length === 0}>
      {offered.map((choice, at) => (
        <div
          key={choice.is === 'flag' ? choice.key : 'new flag'}
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
          {choice.is === 'flag' ? (
            <>
              <bdi>{choice.name}</bdi>
              <code>{choice.key}</code>
            </>
          ) : (
            <span>
              Create a flag “<bdi>{choice.name}</bdi>”
            </span>
          )}
        </div>
      ))}
    </div>
  )
}
