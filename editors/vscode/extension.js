'use strict';
// The extension starts "coredbg dap" for each session; everything else is the adapter's.
const vscode = require('vscode');

class Factory {
  createDebugAdapterDescriptor() {
    const path = vscode.workspace.getConfiguration('coredbg').get('path') || 'coredbg';
    return new vscode.DebugAdapterExecutable(path, ['dap']);
  }
}

async function open() {
  const chosen = await vscode.window.showOpenDialog({ canSelectMany: false, openLabel: 'Open core' });
  if (chosen && chosen.length > 0) {
    await vscode.debug.startDebugging(undefined, { type: 'coredbg', request: 'launch', name: 'Core', core: chosen[0].fsPath });
  }
}

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('coredbg', new Factory()),
    vscode.commands.registerCommand('coredbg.open', open));
};

exports.deactivate = () => {};
