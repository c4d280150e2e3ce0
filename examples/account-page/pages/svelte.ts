import { mount } from 'svelte'
import AccountPage from './account-page.svelte'

mount(AccountPage, { target: document.querySelector('#root')! })
