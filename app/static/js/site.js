// What htmx cannot say in attributes, for every page. Every page works without it.
// Each module stands by itself, in whatever order they are loaded; where one must act before another, it is called.

import "./dialogs.js";
import "./fields.js";
import "./forms.js";
import "./keyboard.js";
import "./lists.js";
import "./menus.js";
import "./place.js";
import "./removal.js";
import "./scripts.js";
import "./search.js";
import "./slow.js";
import "./storage.js";
import "./threads.js";
import "./times.js";
import "./toasts.js";
import "./upwards.js";
import "./viewer.js";
