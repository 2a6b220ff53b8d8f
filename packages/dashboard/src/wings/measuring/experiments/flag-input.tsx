import { useState } from 'react'
import { ChoosingField } from '../../../ui/form/choosing-field.tsx'
import { type ChoiceOfFlag, choicesOf, isChosen, nameOfChoice } from './flag-choices.ts'

interface FlagInputProps {
  flags: readonly { key: string; name: string }[]
  /** The key of the chosen flag; empty if there is none. */
  flagKey: string
  onChoose: (key: string) => void
  /** Makes a flag with this name. Undefined for people who may not. */
  onCreate?: ((name: string) => void) | undefined
  isCreating: boolean
}

/** Finds a flag by its name or key, or offers to create one with the typed name. */
export function FlagInput({ flags, flagKey, onChoose, onCreate, isCreating }: FlagInputProps) {
  const [typed, setTyped] = useState<string>()
  const isOpen = typed !== undefined
  const isUntouched = isOpen && isChosen(typed, flags, flagKey)
  const shown = nameOfChoice(flags, flagKey)
  return (
    <ChoosingField<ChoiceOfFlag>
      label="Flag"
      description={`Its variations are compared. Type a name to find a flag${onCreate ? ' or to create one' : ''}.`}
      placeholder={onCreate ? 'Find or create a flag' : 'Find a flag'}
      value={typed ?? shown}
      onType={setTyped}
      readOnly={isCreating}
      isOpen={isOpen}
      setOpen={(open) => setTyped(open ? shown : undefined)}
      opensUntyped
      // Enter takes the first of what was typed for, and changes nothing where nothing was typed.
      takesFirst={!isUntouched}
      mustChoose
      listName="Flags"
      offered={isOpen ? choicesOf(flags, isUntouched ? '' : typed, onCreate !== undefined) : []}
      keyOf={(choice) => (choice.is === 'flag' ? choice.key : 'new flag')}
      show={(choice) => <Choice {...choice} />}
      onChoose={(choice) => {
        if (choice.is === 'flag') onChoose(choice.key)
        else onCreate?.(choice.name)
      }}
      // The next letter replaces the name of the flag that is chosen.
      onFocus={(event) => event.currentTarget.select()}
      data-autofocus
    />
  )
}

function Choice(choice: ChoiceOfFlag) {
  return choice.is === 'flag' ? (
    <>
      <bdi>{choice.name}</bdi>
      <code>{choice.key}</code>
    </>
  ) : (
    <span>
      Create a flag “<bdi>{choice.name}</bdi>”
    </span>
  )
}
