// Everything that needs scripts. Without them, a page lacks only search, copy buttons, the color scheme
// switch, and examples with the own SDK key.
import { startColorScheme } from './color-scheme.ts'
import { followContents } from './contents.ts'
import { addCopyButtons } from './copy.ts'
import { showCurrentLink } from './navigation.ts'
import { fillExamples } from './own-place.ts'
import { startSearch } from './search.ts'

startColorScheme()
showCurrentLink()
startSearch()
fillExamples()
addCopyButtons()
followContents()
