import { Button, Menu } from '@mantine/core'
import { IconShare2 } from '@tabler/icons-react'
import { saveFile } from '../../../../ui/code/save-file.ts'
import { announce } from '../../../../ui/notice/announce.tsx'
import { pictureOf, type Report } from './picture.ts'
import { pngOf, svgOf } from './write-picture.ts'

interface ShareMenuProps {
  /** What the picture says, when a person asks for one. */
  report: () => Report
  /** The name of a file without its ending. */
  name: string
}

/** Ways to show results to people without an account, and to those with one. */
export default function ShareMenu({ report, name }: ShareMenuProps) {
  const picture = () => pictureOf(report())
  const copy = async () => {
    const isCopied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    )
    announce(
      isCopied
        ? 'Link copied. It opens this view.'
        : 'The browser has no clipboard here. Copy the address of this page.',
    )
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" size="compact-sm" leftSection={<IconShare2 size={14} aria-hidden />}>
          Share
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void copy()}>Copy link to this view</Menu.Item>
        <Menu.Item onClick={() => window.print()}>Print or save as PDF</Menu.Item>
        <Menu.Item onClick={() => void pngOf(picture()).then((file) => saveFile(`${name}.png`, file))}>
          Download picture (PNG)
        </Menu.Item>
        <Menu.Item onClick={() => saveFile(`${name}.svg`, new Blob([svgOf(picture())], { type: 'image/svg+xml' }))}>
          Download picture (SVG)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
