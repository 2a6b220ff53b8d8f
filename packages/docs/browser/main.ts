// Everything that needs scripts. Without them, a page lacks only search, copy buttons and the color scheme switch.
import { startColorScheme } from './color-scheme.ts'
import { followContents } from './contents.ts'
import { addCopyButtons } from './copy.ts'
import { showCurrentLink } from './navigation.ts'
import { startSearch } from './search.ts'

startColorScheme()
showCurrentLink()
startSearch()
addCopyButtons()
followContents()
