import { Menu } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useEnvironment } from '../../../shell/environment.ts'
import { usePlace } from '../../../shell/place.ts'
import { useMay } from '../../../shell/session.ts'
import { DotsMenu } from '../../../ui/links/dots-menu.tsx'
import { MenuLink } from '../../../ui/links/menu-link.tsx'
import { announce } from '../../../ui/notice/announce.tsx'

/** What else can be done with a flag, from its header. */
export function FlagMenu() {
  const { params, environments } = usePlace()
  const { environment } = useEnvironment()
  const { flag } = useParams({ strict: false }) as { flag: string }
  const mayEdit = useMay('flags:write')
  const search = { env: environment.key }
  const copyLink = async () => {
    await navigator.clipboard.writeText(location.href)
    announce('Link copied. It leads to this environment.')
  }
  return (
    <DotsMenu label="More for this flag">
      {/* Browsers have no clipboard over plain HTTP. */}
      {'clipboard' in navigator && <Menu.Item onClick={() => void copyLink()}>Copy link</Menu.Item>}
      <MenuLink to="/$org/$project/playground" params={params} search={{ ...search, flag }}>
        Open in the playground
      </MenuLink>
      {environments.length > 1 && (
        <MenuLink to="/$org/$project/flags/$flag/compare" params={{ ...params, flag }} search={search}>
          Compare environments
        </MenuLink>
      )}
      {mayEdit && (
        <MenuLink to="/$org/$project/flags/$flag/settings" params={{ ...params, flag }} search={search}>
          Archive or delete…
        </MenuLink>
      )}
    </DotsMenu>
  )
}
