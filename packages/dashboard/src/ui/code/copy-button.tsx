import { Button, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useState } from 'react'

const thanksMs = 2_000

interface CopyButtonProps {
  text: string
  label: string
  /** What is copied, for screen readers, where several buttons have the same label. */
  what?: string
  size?: 'xs' | 'sm'
  /** Selects the text if the browser has no clipboard, for example over plain HTTP. */
  select?: () => void
}

/** Copies a text and confirms it for a moment. */
export function CopyButton({ text, label, what, size = 'sm', select }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const copy = async () => {
    const isCopied = await writeToClipboard(text)
    if (!isCopied) select?.()
    setState(isCopied ? 'copied' : 'failed')
    setTimeout(() => setState('idle'), thanksMs)
  }
  const words = { idle: label, copied: 'Copied', failed: 'Press Ctrl+C' }
  return (
    <Button
      variant="default"
      size={size}
      onClick={() => void copy()}
      leftSection={state === 'copied' ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
    >
      {/* The whole name in one text: hidden words after the visible ones are heard with a space before the colon. */}
      <span aria-live={what ? undefined : 'polite'} aria-hidden={what !== undefined}>
        {words[state]}
      </span>
      {what && (
        <VisuallyHidden aria-live="polite">
          {words[state]}: {what}
        </VisuallyHidden>
      )}
    </Button>
  )
}

async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
