# An MCP server that keeps the notes of all in the file $STORE, a line each with $TENANT before it. $SHOWN says which lines
# are listed. The format of a note keeps long texts away, which a shell takes its time to read.
id=0
answer() { echo "{\"jsonrpc\":\"2.0\",\"id\":$id,\"result\":$1}"; }
while read -r line; do
    case "$line" in *'"id":'*) id=$(echo "$line" | sed 's/.*"id":\([0-9]*\).*/\1/') ;; *) continue ;; esac
    case "$line" in
        *'"initialize"'*) answer '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}' ;;
        *'tools/list'*) answer '{"tools":[
            {"name":"list_notes","annotations":{"readOnlyHint":true},"inputSchema":{"type":"object"}},
            {"name":"add_note","inputSchema":{"type":"object","required":["text"],
             "properties":{"text":{"type":"string","format":"line","examples":["milk"]}}}}]}' | tr -d '\n'; echo ;;
        *'"add_note"'*) text=$(echo "$line" | sed 's/.*"text":"\([^"]*\)".*/\1/')
            echo "$TENANT $text" >> "$STORE"; answer '{"content":[{"type":"text","text":"stored"}]}' ;;
        *'"list_notes"'*) rows=$(grep "$SHOWN" "$STORE" | sed 's/.*/{"note":"&"}/' | tr '\n' ',' | sed 's/,$//')
            answer "{\"content\":[],\"structuredContent\":{\"notes\":[$rows]}}" ;;
        *) answer '{"content":[{"type":"text","text":"NOT_FOUND: no tool has this name; tools/list lists them"}],"isError":true}' ;;
    esac
done
