import { Button, Group } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'

interface ViewChoiceProps {
  /** What is chosen: "What is shown". */
  label: string
  isLiveOnly: boolean
  onView: (view: 'live' | undefined) => void
}

/** Chooses between the draft and what is live. */
export function ViewChoice({ label, isLiveOnly, onView }: ViewChoiceProps) {
  const choices = [
    { words: 'With changes', view: undefined, isChosen: !isLiveOnly },
    { words: 'Live only', view: 'live', isChosen: isLiveOnly },
  ] as const
  return (
    <Group gap={0} role="group" aria-label={label}>
      {choices.map(({ words, view, isChosen }) => (
        <Button
          key={words}
          // A tint would not show on the ground of the bar of unpublished changes.
          variant={isChosen ? 'default' : 'subtle'}
          px="sm"
          leftSection={isChosen && <IconCheck size={16} aria-hidden />}
          aria-pressed={isChosen}
          onClick={() => onView(view)}
        >
          {words}
        </Button>
      ))}
    </Group>
  )
}
