import { Menu } from '@mantine/core'
import { DotsMenu } from '../../../ui/links/dots-menu.tsx'

interface MoreActionsProps {
  /** Although the results do not advise it. */
  declareWinner: (() => void) | undefined
  duplicate: (() => void) | undefined
}

/** What a person seldom does. */
export function MoreActions({ declareWinner, duplicate }: MoreActionsProps) {
  return (
    <DotsMenu label="More actions">
      {declareWinner && <Menu.Item onClick={declareWinner}>Declare winner…</Menu.Item>}
      {duplicate && <Menu.Item onClick={duplicate}>Duplicate experiment…</Menu.Item>}
    </DotsMenu>
  )
}
