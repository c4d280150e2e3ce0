import { onContentUpdated } from 'vitepress'
import theme from 'vitepress/theme'
import { onMounted } from 'vue'
import './style.css'
import './choice.css'
import 'virtual:choices.css'
import './landing.css'
import { listenForChoices, markChosen } from './choice.ts'

export default {
  extends: theme,
  setup(): void {
    onMounted(listenForChoices)
    onContentUpdated(markChosen)
  },
}
